import CrashAnalysis
import Foundation
import ProcessTesting
import Testing

/// The commands, run as people run them.
@Suite(.serialized) struct CommandTests {
  private func crashscan(_ arguments: String...) throws -> ChildProcess {
    try ChildProcess.run("crashscan", arguments)
  }

  @Test func findingsMakeItFail() throws {
    let log = try logOfMisbehaviour("hop-storm")
    #expect(try crashscan(log).status == 0, "a warning is below the bar")
    #expect(try crashscan(log, "--fail-on", "warning").status == 1)
    #expect(try crashscan(log, "--fail-on", "never").status == 0)
    #expect(try crashscan(log, "--fail-on", "note", "--ignore", "hop-storm").status == 0)
    #expect(try crashscan(log, "--fail-on", "note", "--only", "hop-storm").status == 1)
    #expect(try crashscan(log, "--only", "no-such-rule").status == 64)
  }

  @Test func inputThatCannotBeReadIsSaid() throws {
    let run = try crashscan("/nonexistent/x.log")
    #expect(run.status == 2)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("/nonexistent/x.log"))
  }

  @Test func readableInputsAreReportedBesideOthers() throws {
    let run = try crashscan(logOfMisbehaviour("off-main-ui"), "/nonexistent/x.log")
    #expect(run.status == 2)
    #expect(run.output.contains("off-main-ui"))
  }

  @Test func baselineOfTheSameLogLeavesNothing() throws {
    let log = try logOfMisbehaviour("off-main-ui")
    let known = temporary("known.json")
    #expect(try crashscan(log, "--format", "json", "--output", known).status == 1)
    #expect(try crashscan(log, "--baseline", known).status == 0)
    #expect(try crashscan(logOfMisbehaviour("unhopped-callback"), "--baseline", known).status == 1)
  }

  @Test func reportFromPartsIsTheReportFromTheWhole() throws {
    let logs = try ["off-main-ui", "store-delegate", "hop-storm"].map(logOfMisbehaviour)
    let whole = try ChildProcess.run("crashscan", logs + ["--format", "json"])
    let parts = try logs.map { log in
      let part = temporary("part.json")
      let run = try crashscan("summarize", log, "--output", part)
      #expect(run.status == 0)
      return part
    }
    let merged = try ChildProcess.run("crashscan", ["merge"] + parts + ["--format", "json"])
    #expect(merged.output == whole.output)
    let pair = temporary("pair.json")
    _ = try crashscan("merge", parts[2], parts[0], "--format", "summary", "--output", pair)
    #expect(try crashscan("merge", parts[1], pair, "--format", "json").output == whole.output)
  }

  @Test func packedLogsAndDirectoriesAreRead() throws {
    let log = try logOfMisbehaviour("off-main-ui")
    let directory = URL(fileURLWithPath: log).deletingLastPathComponent().path
    let tools = URL(fileURLWithPath: "/usr/bin")
    for (tool, suffix) in [("gzip", "gz"), ("zstd", "zst")] {
      let program = tools.appendingPathComponent(tool)
      guard FileManager.default.isExecutableFile(atPath: program.path) else { continue }
      try Process.run(program, arguments: ["-kq", log]).waitUntilExit()
      #expect(try crashscan("\(log).\(suffix)").output.contains("off-main-ui"))
    }
    #expect(try crashscan(directory).output.contains("off-main-ui"))
  }

  /// A file that some bytes were appended to, packed so that next to nothing is left of them.
  private func packed(_ log: String, appending byte: String, count: Int) throws -> String? {
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/zstd") else { return nil }
    let script =
      "{ cat \(log); head -c \(count) /dev/zero | tr '\\0' '\(byte)'; } | zstd -q > \(log).zst"
    try Process.run(URL(fileURLWithPath: "/bin/sh"), arguments: ["-c", script]).waitUntilExit()
    return "\(log).zst"
  }

  @Test func packedFilesUnpackToABound() throws {
    let log = try logOfMisbehaviour("off-main-ui")
    guard let bomb = try packed(log, appending: "x", count: 400 << 20) else { return }
    let run = try crashscan(bomb)
    #expect(run.status == 2, "and its unpacker, which nobody reads from any more, is ended")
    #expect(run.errors.contains("\(bomb): is larger than a log"))
    #expect(run.output.isEmpty)
  }

  @Test func whatIsEmptyOfAPackedFileDoesNotCount() throws {
    let log = try logOfMisbehaviour("off-main-ui")
    guard let sparse = try packed(log, appending: "\\0", count: 400 << 20) else { return }
    #expect(try crashscan(sparse).output.contains("off-main-ui"))
  }

  @Test func documentOfTheRulesIsWhatTheySay() throws {
    let document = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("docs/rules.md")
    let written = try String(contentsOf: document, encoding: .utf8)
    #expect(try crashscan("rules", "--markdown").output == written)
  }

  @Test func rulesExplainThemselves() throws {
    let list = try crashscan("rules")
    for rule in RuleBook.descriptions {
      #expect(list.output.contains(rule.id))
      #expect(try crashscan("rules", rule.id).output.contains("Leaves alone"))
    }
    #expect(try crashscan("rules", "no-such-rule").status == 64)
  }
}
