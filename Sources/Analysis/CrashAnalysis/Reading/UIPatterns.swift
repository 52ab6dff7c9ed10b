import IncidentModel

/// Patterns for functions that do UI work: built in for well-known frameworks, extended from files.
package struct UIPatterns: Sendable {
  private struct Pattern: Sendable {
    enum Subject: Sendable { case module, function }
    var subject: Subject
    var glob: [UInt8]
    var name: String
  }

  private var patterns: [Pattern] = []

  private init() {}

  /// The patterns for UIKit, AppKit, WebKit, SwiftUI, GTK and Qt.
  package static let builtIn: UIPatterns = {
    var patterns = UIPatterns()
    let modules = [
      ("UIKit", ["UIKit", "UIKitCore", "UIFoundation"]), ("AppKit", ["AppKit"]),
      ("WebKit", ["WebKit", "WebCore", "libwebkit*gtk*"]), ("SwiftUI", ["SwiftUI", "SwiftUICore"]),
      ("GTK", ["libgtk-*", "libgdk-*"]),
      ("Qt", ["libQt?Widgets*", "libQt?Gui*", "libQt?Quick*", "QtWidgets", "QtGui", "QtQuick"]),
    ]
    let functions = [
      ("UIKit", ["-[UI*", "+[UI*", "-[NSISEngine *", "-[NSLayoutConstraint *"]),
      ("AppKit", ["-[NSView *", "-[NSWindow *"]), ("WebKit", ["-[WK*"]),
      ("GTK", ["gtk_widget_*", "gtk_window_*", "gtk_label_*", "gtk_container_*"]),
      ("Qt", ["QWidget::*", "QWindow::*", "QPainter::*", "QQuickItem::*"]),
    ]
    for (name, globs) in modules {
      for glob in globs { patterns.add(.module, glob, name) }
    }
    for (name, globs) in functions {
      for glob in globs { patterns.add(.function, glob, name) }
    }
    return patterns
  }()

  private mutating func add(_ subject: Pattern.Subject, _ glob: String, _ name: String) {
    patterns.append(Pattern(subject: subject, glob: Array(glob.utf8), name: name))
  }

  /// Adds the patterns in a file's text. A line is `module GLOB` or `function GLOB`, optionally
  /// followed by `as NAME`. `*` matches any text, `?` any character; `#` starts a comment.
  package mutating func add(text: String, path: String) throws(PatternError) {
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let words = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace).map(String.init)
      if words.isEmpty { continue }
      let isNamed = words.count >= 3 && words[words.count - 2] == "as"
      let glob = words.dropFirst().dropLast(isNamed ? 2 : 0).joined(separator: " ")
      guard !glob.isEmpty, let subject = subject(words[0]) else {
        throw PatternError(path: path, line: index + 1)
      }
      add(subject, glob, isNamed ? words[words.count - 1] : glob)
    }
  }

  private func subject(_ word: String) -> Pattern.Subject? {
    switch word {
    case "module": .module
    case "function": .function
    default: nil
    }
  }

  /// Returns the framework to which a function belongs, by its name or by one of its modules.
  func framework(function: String, modules: [String]) -> String? {
    patterns.first { pattern in
      switch pattern.subject {
      case .module: modules.contains { matches($0, pattern.glob) }
      case .function: matches(function, pattern.glob)
      }
    }?.name
  }
}

/// A malformed line of a pattern file.
package struct PatternError: Error, CustomStringConvertible {
  package let path: String
  package let line: Int

  package var description: String {
    "\(path):\(line): not a pattern (expected `module GLOB` or `function GLOB`, optionally followed by `as NAME`)"
  }
}

/// True if `glob` matches all of `text`. Backtracks only to the last `*`.
private func matches(_ text: String, _ glob: [UInt8]) -> Bool {
  let text = Array(text.utf8)
  var at = 0
  var globAt = 0
  var star: (glob: Int, text: Int)?
  while at < text.count {
    if globAt < glob.count, glob[globAt] == UInt8(ascii: "*") {
      star = (globAt, at)
      globAt += 1
    } else if globAt < glob.count, glob[globAt] == text[at] || glob[globAt] == UInt8(ascii: "?") {
      at += 1
      globAt += 1
    } else if let last = star {
      star = (last.glob, last.text + 1)
      globAt = last.glob + 1
      at = last.text + 1
    } else {
      return false
    }
  }
  return glob[globAt...].allSatisfy { $0 == UInt8(ascii: "*") }
}
