import Foundation
import PackagePlugin

/// The generated files of a package, known by their heads.
struct Shims {
  struct File {
    /// The options it was made with.
    let arguments: [String]
  }

  let files: [File]

  init(_ package: Package) throws {
    let sources = package.targets(ofType: SwiftSourceModuleTarget.self)
      .flatMap { $0.sourceFiles(withSuffix: "swift") }
    files = try sources.compactMap { source in
      let text = try String(contentsOf: source.url, encoding: .utf8)
      let head = text.split(separator: "\n", maxSplits: 3, omittingEmptySubsequences: false)
      guard head.count > 2, head[1] == "// Generated; to generate it again:",
        let verb = head[2].firstRange(of: " generate-hop-shim ")
      else { return nil }
      return File(arguments: Self.words(of: head[2][verb.upperBound...]))
    }
  }

  /// The words of a command, as a shell reads them.
  private static func words(of command: Substring) -> [String] {
    var words: [String] = []
    var word = ""
    var isQuoted = false
    var isEscaped = false
    for character in command + " " {
      if isEscaped {
        word.append(character)
        isEscaped = false
      } else if character == "'" {
        isQuoted.toggle()
      } else if character == "\\" && !isQuoted {
        isEscaped = true
      } else if character == " " && !isQuoted {
        if !word.isEmpty { words.append(word) }
        word = ""
      } else {
        word.append(character)
      }
    }
    return words
  }
}
