import Foundation
import ProcessTesting
import Testing

@testable import HopShimGenerator

/// The shims that are part of these tests, as they were written.
struct GeneratedFile: Sendable, CustomTestStringConvertible {
  let url: URL
  var testDescription: String { url.lastPathComponent }

  static let root = Repository.root

  static let all = try! FileManager.default.contentsOfDirectory(
    at: root.appendingPathComponent("Tests/Unit/HopShimTests/Shims"),
    includingPropertiesForKeys: nil
  ).map(GeneratedFile.init).sorted { $0.url.path < $1.url.path }

  static let ofThisToolchain = all.filter {
    ProcessTesting.Toolchain.graphsSaySendable || !$0.hasSendableClosures
  }

  private var hasSendableClosures: Bool { (try? text.contains(" @Sendable (")) ?? false }

  /// Where the modules of this build are.
  static let modules = "\(ProcessTesting.ChildProcess.directory)/Modules"

  var text: String { get throws { try String(contentsOf: url, encoding: .utf8) } }

  /// The options that the file's head says it was made with, as a shell reads them.
  var options: [String] {
    get throws {
      let head = try text.split(separator: "\n")[2]
      let command = head[try #require(head.firstRange(of: "generate-hop-shim ")).upperBound...]
      let shell = try ChildProcess.run(path: "/bin/sh", ["-c", "printf '%s\\n' \(command)"], [:])
      return shell.output.split(separator: "\n").map(String.init)
    }
  }
}

@Suite("Generated files")
struct GeneratedFileTests {
  @Test(
    "A shim is what its head says makes it, to the letter",
    arguments: GeneratedFile.ofThisToolchain.inShort(oneOf: 5))
  func golden(_ file: GeneratedFile) throws {
    let options = try Options(
      file.options + ["--search-path", GeneratedFile.modules, "--home-module", "HopShimTests"])
    #expect(try Program.source(for: options) == file.text)
  }

  @Test(
    "The shim of URLSessionDataDelegate hops every requirement, inherited ones too",
    .enabled(if: ProcessTesting.Toolchain.graphsSaySendable))
  func allOfURLSession() throws {
    let graph = try SymbolGraphs(folders: [], searchPaths: []).graph(of: "FoundationNetworking")
    let protocols = ["URLSessionDelegate", "URLSessionTaskDelegate", "URLSessionDataDelegate"]
    let required = Set(
      graph.relationships.filter { $0.kind == "requirementOf" }.filter { relation in
        protocols.contains { relation.target.hasSuffix("\($0)P") }
      }.map(\.source))
    let declarations = graph.symbols.filter { required.contains($0.id) }.map(\.text)
    #expect(declarations.count == required.count && required.count > 10)

    func plain(_ text: String) -> String { text.filter { !$0.isWhitespace } }
    let file = try #require(
      GeneratedFile.all.first { $0.testDescription == "URLSessionDataDelegateHop.swift" })
    let shim = plain(try file.text)
    for declaration in declarations {
      #expect(shim.contains(plain(declaration) + "{hop.send{"), "\(declaration)")
    }
    #expect(try file.text.components(separatedBy: "    hop.send {").count - 1 == required.count)
  }

  @Test("The order of a graph is that of its source, in whatever order a compiler wrote it")
  func order() throws {
    let graph = try SymbolGraphs(folders: [], searchPaths: [GeneratedFile.modules])
      .graph(of: "ShimmedProtocols")
    var shuffled = graph
    shuffled.symbols.shuffle()
    shuffled.relationships.shuffle()
    shuffled.sort()
    #expect(shuffled.symbols.map(\.id) == graph.symbols.map(\.id))
    let lines = graph.symbols.filter { $0.pathComponents.first == "Counter" }
      .compactMap(\.location?.position.line)
    #expect(lines.count == 4 && lines == lines.sorted())
  }

  @Test("No line of a shim is longer than its signature makes it", arguments: GeneratedFile.all)
  func lines(_ file: GeneratedFile) throws {
    for line in try file.text.split(separator: "\n") where line.count > 100 {
      // A closure's type or an answer's head is not broken.
      #expect(line.hasPrefix("//") || line.contains("->"), "\(line)")
    }
  }
}
