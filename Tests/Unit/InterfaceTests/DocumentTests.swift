import Foundation
import ProcessTesting
import Testing

/// Blocks of Swift in documents are Swift: a client's compiler takes each.
struct DocumentTests {
  /// The pages that people copy most from.
  private static let first = Document.all.filter {
    ["docs/getting-started.md", "docs/testing.md"].contains($0.path)
  }

  @Test(arguments: isWholeRun ? Document.all : first)
  func itsBlocksCompile(document: Document) throws {
    let folder = TestFiles.path(document.name)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for group in document.groups {
      let files = try group.files.enumerated().map { number, text in
        let file = "\(folder)/\(group.name)-\(number).swift"
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        return file
      }
      let compiler = try Compiler()
      let done = try ChildProcess.run(
        path: compiler.swiftc,
        ["-typecheck", "-suppress-warnings", "-module-name", "Client"] + group.arguments
          + compiler.imports + group.others + files)
      #expect(done.status == 0 && done.signal == 0, "\(done.errors)")
    }
  }

  @Test func aBlockThatCallsWhatIsNotThereIsFound() throws {
    let document = Document(
      path: "docs/affinity.md", text: "# A page\n\n```swift\nlet hop = 1\nhop.call()\n```\n")
    let group = try #require(document.groups.first)
    #expect(document.groups.count == 1 && group.files.last?.contains("hop.call()") == true)
    let file = TestFiles.path("block.swift")
    try #require(group.files.last).write(toFile: file, atomically: true, encoding: .utf8)
    let compiler = try Compiler()
    let done = try ChildProcess.run(
      path: compiler.swiftc, ["-typecheck", "-parse-as-library"] + compiler.imports + [file])
    // At its own line of the document.
    #expect(done.status != 0 && done.errors.contains("docs/affinity.md:5:5: error"))
  }

  @Test func everyDocumentWithBlocksIsAmongThem() {
    let names = Document.all.map(\.path)
    for expected in [
      "docs/getting-started.md", "docs/reference/rules.md", "docs/testing.md", "docs/affinity.md",
    ] {
      #expect(names.contains(expected))
    }
  }
}
