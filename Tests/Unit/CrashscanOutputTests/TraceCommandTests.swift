import Foundation
import ProcessTesting
import Testing

/// Traces and stacks for flame graphs, asked for on the command line.
@Suite(.serialized) struct TraceCommandTests {
  private func crashscan(_ arguments: String...) throws -> ChildProcess {
    try ChildProcess.run("crashscan", arguments)
  }

  @Test func tracesJudgeNothing() throws {
    let log = try logOfMisbehaviour("off-main-ui")
    #expect(try crashscan(log).status == 1)
    for format in ["perfetto", "speedscope", "collapsed"] {
      let output = temporary("run.\(format)")
      #expect(try crashscan(log, "--format", format, "--output", output).status == 0)
      #expect(try Data(contentsOf: URL(fileURLWithPath: output)).count > 0)
    }
  }

  @Test func violationsWeighOneEach() throws {
    let log = try logOfMisbehaviour("off-main-ui")
    let lines = try crashscan(log, "--format", "collapsed").output.split(separator: "\n")
    #expect(lines.count == 1)
    #expect(lines.first?.hasSuffix(";Board.show(_:) 1") == true)
    let both = try crashscan(log, log, "--format", "collapsed").output
    #expect(both.hasSuffix(";Board.show(_:) 2\n"))
    let clean = temporary("clean.log")
    _ = try ChildProcess.run("misbehave", ["off-main-ui", "right", clean])
    let empty = try crashscan(clean, "--format", "collapsed")
    #expect(empty.output.isEmpty && empty.status == 0)
    #expect(empty.errors == "crashscan: no violation was recorded, so the flame graph is empty\n")
  }

  @Test func whatCannotBeTracedIsRefusedAndLeavesNoFile() throws {
    let log = try logOfMisbehaviour("off-main-ui")
    let output = temporary("none.pftrace")
    let two = try crashscan(log, log, "--format", "perfetto", "--output", output)
    #expect(two.status == 64 && two.errors.contains("a trace needs exactly one log"))
    let missing = try crashscan("/nonexistent/x.log", "--format", "perfetto", "--output", output)
    #expect(missing.status == 2 && missing.errors.contains("/nonexistent/x.log"))
    let summary = temporary("summary.json")
    _ = try crashscan("summarize", log, "--output", summary)
    #expect(try crashscan("merge", summary, "--format", "collapsed").status == 64)
    #expect(!FileManager.default.fileExists(atPath: output))
  }

  @Test(.enabled(if: OnTerminal.isAvailable, "needs script(1)"))
  func aBinaryTraceIsNotWrittenToATerminal() throws {
    let log = try logOfMisbehaviour("off-main-ui")
    let run = try OnTerminal.crashscan(log, "--format", "perfetto")
    #expect(run.status == 64)
    #expect(run.output.contains("add --output FILE") && run.output.utf8.count < 200)
    #expect(try OnTerminal.crashscan(log, "--format", "collapsed").output.contains("Board.show"))
  }

  @Test func readableInputsAreDrawnBesideOthers() throws {
    let run = try crashscan(
      logOfMisbehaviour("off-main-ui"), "/nonexistent/x.log", "--format", "collapsed")
    #expect(run.status == 2)
    #expect(run.output.contains("Board.show(_:) 1"))
    #expect(run.errors.contains("/nonexistent/x.log"))
  }
}
