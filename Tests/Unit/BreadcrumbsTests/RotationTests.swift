import Glibc
import ProcessTesting
import Testing

@testable import Breadcrumbs

/// What becomes of the logs of earlier runs.
struct RotationTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func run(_ number: Int, keepingLast: Int) throws {
    let recorder = try BreadcrumbRecorder(
      path: scratch.log, capacity: 256 << 10, keepingLast: keepingLast, automatic: [])
    recorder.record("run \(number)")
    recorder.close()
  }

  private func firstMessages() throws -> [String: String] {
    var messages: [String: String] = [:]
    for name in scratch.names {
      messages[name] = try scratch.incident(name).messages.first { $0.hasPrefix("run") }
    }
    return messages
  }

  @Test func aCrashLoopKeepsTheLastRunsAndNoOthers() throws {
    for number in 1...10 {
      let trial = try Program.run("recorder-trial", ["crash-loop", scratch.log, "\(number)", "3"])
      #expect(trial.signal == SIGKILL)
    }
    #expect(
      try firstMessages() == [
        "breadcrumbs.log": "run 10", "breadcrumbs.1.log": "run 9", "breadcrumbs.2.log": "run 8",
        "breadcrumbs.3.log": "run 7",
      ])
  }

  @Test func nothingIsKeptWhereNothingIsToBe() throws {
    for number in 1...3 { try run(number, keepingLast: 0) }
    #expect(try firstMessages() == ["breadcrumbs.log": "run 3"])
  }

  @Test func aGapIsFilledBeforeAnythingIsLost() throws {
    for number in 1...4 { try run(number, keepingLast: 5) }
    unlink(scratch.path + "/breadcrumbs.2.log")
    try run(5, keepingLast: 5)
    #expect(
      try firstMessages() == [
        "breadcrumbs.log": "run 5", "breadcrumbs.1.log": "run 4", "breadcrumbs.2.log": "run 3",
        "breadcrumbs.3.log": "run 1",
      ])
  }

  @Test func anyNumberOfRunsMayBeKept() throws {
    for number in 1...3 { try run(number, keepingLast: .max) }
    #expect(scratch.names.count == 3)
  }

  @Test func aNameWithoutAnEndingIsNumberedToo() throws {
    for _ in 1...2 {
      try BreadcrumbRecorder(
        path: scratch.path + "/crumbs", capacity: 256 << 10, automatic: []
      ).close()
    }
    #expect(scratch.names == ["crumbs", "crumbs.1"])
  }

  @Test func theFileIsItsOwnersAlone() throws {
    let trial = try Program("recorder-trial", ["open", scratch.log, "umask", "0"])
    #expect(trial.line() != nil)
    var status = stat()
    stat(scratch.log, &status)
    #expect(status.st_mode & 0o777 == 0o600)
    trial.letGoOn()
    _ = trial.end()
  }

  @Test func oneRecorderAfterAnotherMayBeOpenedForEver() throws {
    let trial = try Program.run("recorder-trial", ["reopen", scratch.log, "60"])
    #expect(trial.lines == ["reopened"])
    #expect(try scratch.incident().messages.contains("log 60"))
  }
}
