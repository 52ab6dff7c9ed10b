import IncidentModel

/// A known problem, whose findings do not count. The cause of a run's death always counts.
package struct Allowance: Sendable, Hashable {
  private enum Subject: String { case function, file, message, anything }

  private let subject: Subject
  private let pattern: String

  /// Parses `function:reload`, `file:Legacy.swift`, `message:old layout`, or a bare word that
  /// matches any of the three; nil if the text is empty or malformed.
  package init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      .map(Self.trimmed)
    let named = parts.count == 2 ? Subject(rawValue: parts[0]) : nil
    subject = named ?? .anything
    pattern = named == nil ? Self.trimmed(text[...]) : parts[1]
    if pattern.isEmpty || named == .anything { return nil }
  }

  /// Parses a list in the format of `MAINSTAY_ALLOW`; nil if one element is malformed.
  package static func list(_ text: String) -> [Allowance]? {
    let parts = text.split(separator: ";").filter { !trimmed($0).isEmpty }
    let allowances = parts.compactMap { Allowance(String($0)) }
    return allowances.isEmpty || allowances.count < parts.count ? nil : allowances
  }

  private static func trimmed(_ text: Substring) -> String {
    let isSpace = { (character: Character) in character == " " || character == "\t" }
    var text = text.drop(while: isSpace)
    while let last = text.last, isSpace(last) { text.removeLast() }
    return String(text)
  }

  package func covers(_ finding: Finding) -> Bool {
    guard !finding.isVerdict, finding.rule != IsolationTrap.about.id else {
      return false
    }
    return switch subject {
    case .function: coversFunction(of: finding)
    case .file: coversFile(of: finding)
    case .message: finding.title.contains(pattern)
    case .anything:
      coversFunction(of: finding) || coversFile(of: finding) || finding.title.contains(pattern)
    }
  }

  /// True if the allowance covers the culprit's function: `reload` covers `Table.reload(_:)` and
  /// its closures, but not `preload()`.
  private func coversFunction(of finding: Finding) -> Bool {
    guard let function = finding.culprit?.function, !function.isEmpty else { return false }
    var name = Substring(function)
    if let outer = function.ranges(of: " in ").last { name = name[outer.upperBound...] }
    let bare = name.prefix { $0 != "(" }
    let starts = [bare.startIndex] + bare.indices.filter { bare[$0] == "." }.map(bare.index(after:))
    return starts.contains { start in
      name[start...] == pattern || bare[start...] == pattern
    }
  }

  private func coversFile(of finding: Finding) -> Bool {
    guard let path = finding.culprit?.file else { return false }
    return path == pattern || path.hasSuffix("/" + pattern)
  }
}
