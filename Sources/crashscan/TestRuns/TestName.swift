/// The library that runs a test.
package enum TestLibrary: String, Sendable {
  case xcTest = "XCTest"
  case swiftTesting = "Swift Testing"
}

/// The name of a test, and its source location.
package struct TestName: Hashable, Sendable {
  package var library: TestLibrary
  /// The identity within the library: `Module.Suite/test()/File.swift:5:4`, `Class.testMethod`.
  package var id: String
  /// The path of the file as it was passed to the compiler; nil if the library does not report it.
  package var file: String?
  package var line: Int?

  package init(_ library: TestLibrary, id: String, file: String? = nil, line: Int? = nil) {
    self.library = library
    self.id = id
    self.file = file
    self.line = line
  }

  /// The components of the identity without the source location: module, suites, function.
  var components: [String] {
    switch library {
    case .xcTest: return id.split(separator: ".").map(String.init)
    case .swiftTesting:
      let parts = id.split(separator: "/").map(String.init)
      let path = parts.count > 1 && Self.isPlace(parts[parts.count - 1]) ? parts.dropLast() : parts
      guard let first = path.first else { return [id] }
      guard let dot = first.firstIndex(of: ".") else { return Array(path) }
      return [String(first[..<dot]), String(first[first.index(after: dot)...])]
        + path.dropFirst()
    }
  }

  /// True for a source location such as `T.swift:5:4`.
  private static func isPlace(_ part: String) -> Bool {
    let fields = part.split(separator: ":")
    return fields.count >= 3 && fields.suffix(2).allSatisfy { Int($0) != nil }
  }

  /// The name in output: `Suite/test()`, `Class.testMethod`.
  package var shown: String {
    switch library {
    case .xcTest: id
    case .swiftTesting: components.dropFirst().joined(separator: "/")
    }
  }

  /// The name with the source location: `Suite/test() at T.swift:5`.
  package var shownWithPlace: String {
    guard let file, let line else { return shown }
    return "\(shown) at \(file.split(separator: "/").last ?? ""):\(line)"
  }

  /// The name of the function; for Swift Testing, with its parentheses and labels.
  var function: String { components.last ?? id }

  /// The innermost type that contains the function; nil for a free function.
  var type: String? {
    let types = components.dropFirst(library == .xcTest ? 0 : 1).dropLast()
    return types.last?.split(separator: ".").last.map(String.init)
  }
}
