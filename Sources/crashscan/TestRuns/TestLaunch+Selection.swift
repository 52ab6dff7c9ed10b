extension TestLaunch {
  /// Returns the command lines that together run exactly these tests.
  ///
  /// - Parameter modules: The module of each XCTest class.
  func arguments(
    running tests: [TestName], isSerial: Bool, modules: [String: String]
  ) -> [[String]] {
    switch library {
    case .swiftTesting:
      let filters = Self.parts(tests.map { Self.pattern($0.id) }, joinedBy: "|").map {
        ["--filter", "^(?:\($0))$"]
      }
      let serial = isSerial ? ["--no-parallel"] : []
      return [withoutSelection + serial + filters.flatMap { $0 }]
    case .xcTest:
      let names = tests.compactMap { test -> String? in
        let parts = test.id.split(separator: ".")
        guard parts.count == 2, let module = modules[String(parts[0])] else { return nil }
        return "\(module).\(parts[0])/\(parts[1])"
      }
      return Self.parts(names, joinedBy: ",").map { [arguments[0], $0] }
    }
  }

  /// The arguments without options that select tests or name result files.
  private var withoutSelection: [String] {
    let dropped = ["--filter", "--skip", Self.eventStreamOption, "--xunit-output"]
    var kept: [String] = []
    var isValue = false
    for argument in arguments {
      if isValue {
        isValue = false
      } else if dropped.contains(argument) {
        isValue = true
      } else if !dropped.contains(where: { argument.hasPrefix("\($0)=") }) {
        kept.append(argument)
      }
    }
    return kept
  }

  /// Returns a regular expression that matches `text` literally.
  private static func pattern(_ text: String) -> String {
    text.reduce(into: "") { pattern, character in
      if #"\^$.|?*+()[]{}/"#.contains(character) { pattern += "\\" }
      pattern.append(character)
    }
  }

  /// Joins texts into as few arguments as possible. The kernel limits an argument to 128 KiB.
  private static func parts(_ texts: [String], joinedBy mark: String) -> [String] {
    var parts: [String] = []
    for text in texts {
      if let last = parts.last, last.utf8.count + text.utf8.count < 100_000 {
        parts[parts.count - 1] = last + mark + text
      } else {
        parts.append(text)
      }
    }
    return parts
  }
}

/// The tests of a bundle, from XCTest's list with a line `Module.Class/testMethod` for each test.
struct XCTestList {
  private let entries: [(module: String, type: String, method: String)]

  init(_ text: String) {
    entries = text.split(separator: "\n").compactMap { line in
      guard let slash = line.firstIndex(of: "/"), !line.contains(" "),
        let dot = line.prefix(upTo: slash).firstIndex(of: ".")
      else { return nil }
      return (
        String(line[..<dot]), String(line[dot..<slash].dropFirst()),
        String(line[slash...].dropFirst())
      )
    }
  }

  /// The module of each class.
  var modules: [String: String] {
    Dictionary(entries.map { ($0.type, $0.module) }) { first, _ in first }
  }

  /// Returns the tests that a command line selects, by a comma-separated list of `Module`,
  /// `Module.Class` or `Module.Class/test`; all tests without a list.
  func tests(selectedBy arguments: [String]) -> [TestName] {
    let selection = arguments.dropFirst().first { !$0.hasPrefix("-") }
    let wanted = selection.map { Set($0.split(separator: ",").map(String.init)) }
    return entries.filter { entry in
      guard let wanted else { return true }
      let type = "\(entry.module).\(entry.type)"
      return wanted.contains(entry.module) || wanted.contains(type)
        || wanted.contains("\(type)/\(entry.method)")
    }.map { TestName(.xcTest, id: "\($0.type).\($0.method)") }
  }
}
