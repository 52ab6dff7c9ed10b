import Foundation
import ProcessTesting
import Testing

@testable import HopShimGenerator

@Suite("The generator's command line")
struct CommandLineTests {
  private func generate(_ arguments: [String]) throws -> ProcessTesting.ChildProcess {
    try ChildProcess.run(
      "HopShimGenerator", arguments + ["--search-path", GeneratedFile.modules])
  }

  private func withFile(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.appendingPathComponent("NamedHop.swift").path)
  }

  @Test("--check passes for what was written, and fails for what is stale or missing", .long)
  func check() throws {
    try withFile { file in
      let options = ["--protocol", "Named", "--module", "ShimmedProtocols", "--output", file]
      let missing = try generate(options + ["--check"])
      #expect(missing.status == 1 && missing.errors.contains("does not exist; run: swift package"))
      let written = try generate(options)
      #expect(written.status == 0 && written.output == "wrote \(file)\n")
      #expect(try generate(options + ["--check"]).status == 0)
      // Another choice is another file.
      let changed = try generate(options + ["--destination", "queue", "--check"])
      #expect(changed.status == 1 && changed.errors.contains("is out of date; run: swift package"))
      let text = try String(contentsOfFile: file, encoding: .utf8)
      try (text + "// mine\n").write(toFile: file, atomically: true, encoding: .utf8)
      let edited = try generate(options + ["--check"])
      #expect(edited.status == 1 && edited.errors.contains("is out of date; run: swift package"))
    }
  }

  @Test("Where a shim is refused, nothing is written")
  func refused() throws {
    try withFile { file in
      let refused = try generate(
        ["--protocol", "Refused", "--module", "ShimmedProtocols", "--output", file])
      #expect(refused.status == 1 && refused.output.isEmpty)
      #expect(!FileManager.default.fileExists(atPath: file))
    }
  }

  @Test(
    "A module, a graph or a folder that is not there is said in a sentence",
    arguments: [
      (["--protocol", "A", "--module", "Nowhere"], "neither in this build nor in the toolchain"),
      (["--protocol", "A"], "--module is missing"),
      (["--module", "A"], "--protocol is missing"),
    ])
  func missing(_ arguments: [String], _ expected: String) throws {
    let child = try generate(arguments + ["--output", "/nowhere/Hop.swift"])
    #expect(child.status == 1 && child.errors.contains(expected))
  }

  @Test("--help prints every option")
  func help() throws {
    let child = try generate(["--help"])
    #expect(child.status == 0 && child.output == Options.help + "\n")
    for option in [
      "protocol", "module", "output", "destination", "default", "wait", "latest", "public",
      "isolated", "check",
    ] {
      #expect(child.output.contains("  --\(option) "))
    }
  }
}
