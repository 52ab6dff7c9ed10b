/// The library that runs a test.
package enum TestLibrary: String, Sendable {
  case xcTest = "XCTest"
  case swiftTesting = "Swift Testing"
}

/// The name and the place of a test.
package struct TestName: Hashable, Sendable {
  package var library: TestLibrary
  /// The identity within the library: `Module.Suite/test()/File.swift:5:4`, `Class.testMethod`.
  package var id: String
  /// The file, as the compiler was told it; nil if the library does not say.
  package var file: String?
  package var line: Int?

  package init(_ library: TestLibrary, id: String, file: String? = nil, line: Int? = nil) {
    self.library = library
    self.id = id
    self.file = file
    self.line = line
  }

  /// The components of the identity, without a place in a file: module, suites, function.
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

  /// `T.swift:5:4`.
  private static func isPlace(_ part: String) -> Bool {
    let fields = part.split(separator: ":")
    return fields.count >= 3 && fields.suffix(2).allSatisfy { Int($0) != nil }
  }

  /// The name for a reader: `Suite/test()`, `Class.testMethod`.
  package var shown: String {
    switch library {
    case .xcTest: id
    case .swiftTesting: components.dropFirst().joined(separator: "/")
    }
  }

  /// `Suite/test() at T.swift:5`.
  package var shownWithPlace: String {
    guard let file, let line else { return shown }
    return "\(shown) at \(file.split(separator: "/").last ?? ""):\(line)"
  }

  /// The name of the function, with its parentheses and labels where the language has them.
  var function: String { components.last ?? id }

  /// The innermost type that the function is declared in; nil for a free function.
  var type: String? {
    let types = components.dropFirst(library == .xcTest ? 0 : 1).dropLast()
    return types.last?.split(separator: ".").last.map(String.init)
  }
}
