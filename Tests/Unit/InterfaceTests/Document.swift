import Foundation
import ProcessTesting
import Testing

/// A page with blocks of Swift.
///
/// What they call without declaring it stands in `Documents/PAGE.swift`, whose head may say `// language: 5`,
/// `// package: NAME` or `// with: FILE`.
struct Document: Sendable, CustomTestStringConvertible {
  /// What is compiled at once.
  struct Group {
    let name: String
    /// Texts of files, and files as they are.
    let files: [String]
    let others: [String]
    let arguments: [String]
  }

  let path: String
  private let blocks: [Block]

  var testDescription: String { path }
  var name: String { URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent }

  init(path: String, text: String) {
    self.path = path
    blocks = Block.all(in: text)
  }

  static let all: [Document] = {
    let root = Repository.root.path
    let folders = ["docs", "samples", "Sources"].flatMap { folder in
      FileManager.default.enumerator(atPath: "\(root)/\(folder)")?
        .compactMap { "\(folder)/\($0)" }.filter { $0.hasSuffix(".md") } ?? []
    }
    return (["README.md", "CONTRIBUTING.md"] + folders).sorted().compactMap { path in
      let text = try? String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
      let document = text.map { Document(path: path, text: $0) }
      return document.flatMap { $0.blocks.isEmpty ? nil : $0 }
    }
  }()

  /// A manifest is a program of its own; all other blocks of a page share what is declared for them.
  var groups: [Group] {
    let manifests = blocks.filter(\.isManifest).map { block in
      Group(
        name: "manifest-\(block.line)", files: [block.file(of: path)], others: [],
        arguments: Self.manifestArguments)
    }
    let rest = blocks.filter { !$0.isManifest }
    guard !rest.isEmpty else { return manifests }
    let context = Context(for: name)
    let group = Group(
      name: "block", files: rest.map { $0.file(of: path, isolation: context.isolation) },
      others: context.files,
      arguments: ["-parse-as-library"] + context.arguments)
    return manifests + [group]
  }

  private static let manifestArguments: [String] = {
    guard let swiftc = try? Compiler().swiftc else { return [] }
    let tools = URL(fileURLWithPath: swiftc).resolvingSymlinksInPath()
      .deletingLastPathComponent().deletingLastPathComponent()
    let library = tools.appendingPathComponent("lib/swift/pm/ManifestAPI").path
    return ["-swift-version", "6", "-package-description-version", "6.0.0", "-I", library]
  }()
}

/// What the blocks of a page call.
private struct Context {
  let files: [String]
  let arguments: [String]
  let isolation: String

  init(for name: String) {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Documents/\(name).swift")
    guard let text = try? String(contentsOf: file, encoding: .utf8) else {
      (files, arguments, isolation) = ([], ["-swift-version", "6"], "@MainActor ")
      return
    }
    func said(_ word: String) -> [String] {
      text.split(separator: "\n").filter { $0.hasPrefix("// \(word): ") }
        .map { String($0.dropFirst(word.count + 5)) }
    }
    let root = Repository.root.path
    files = [file.path] + said("with").map { "\(root)/\($0)" }
    let language = said("language").first ?? "6"
    arguments = ["-swift-version", language]
    // Before strict concurrency code is on whatever thread it is on.
    isolation = language == "5" ? "" : "@MainActor "
  }
}

/// A block of Swift.
private struct Block: Sendable {
  /// Where its first line stands.
  let line: Int
  private let lines: [String]

  static func all(in text: String) -> [Block] {
    var blocks: [Block] = []
    var open: (line: Int, lines: [String])?
    var before = ""
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      if let block = open {
        if line == "```" {
          blocks.append(Block(line: block.line, lines: block.lines))
          open = nil
        } else {
          open?.lines.append(String(line))
        }
      } else if line == "```swift", !needsPackages(before) {
        open = (index + 2, [])
      }
      before = String(line)
    }
    return blocks
  }

  /// A program that is built with packages of others, and compared with the page by `Tests/EndToEnd/Readme/check-readme`.
  private static func needsPackages(_ marker: String) -> Bool {
    marker.hasPrefix("<!-- sample: samples/Shop/")
  }

  var isManifest: Bool { lines.contains("import PackageDescription") }

  /// Tests and what is public stand in a file as they are; all else is the body of a function, as in a service.
  private var isFile: Bool {
    isManifest
      || lines.contains {
        $0.hasPrefix("@Test") || $0.hasPrefix("@Suite") || $0.hasPrefix("public ")
      }
  }

  /// The file to compile, in which each line of the block knows where it stands in the page.
  func file(of page: String, isolation: String = "") -> String {
    let imports = lines.filter { $0.hasPrefix("import ") }.joined(separator: "\n")
    let usual = isManifest ? "" : Self.usual
    let body = lines.map { $0.hasPrefix("import ") ? "" : $0 }.joined(separator: "\n")
    let place = "#sourceLocation(file: \"\(page)\", line: \(line))\n"
    let text =
      isFile
      ? "\(place)\(body)\n#sourceLocation()\n"
      : "\(isolation)func block\(line)() async throws {\n\(place)\(body)\n#sourceLocation()\n}\n"
    return "\(usual)\(imports)\n\(text)"
  }

  private static let usual = """
    import AffinityTesting
    import BlockingCalls
    import BreadcrumbNotifications
    import Breadcrumbs
    import CrashCapture
    import CrashTesting
    import Dispatch
    import Foundation
    import FoundationNetworking
    import Mainstay
    import Testing
    import ThreadAffinity
    import XCTest

    """
}
