import Glibc
import IncidentModel
import ProcessTesting
import Testing

@testable import Breadcrumbs

/// How a run ends, and what its log says of that.
struct EndingTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test(arguments: ["return", "exit"])
  func aProcessThatEndsByItselfSaysSo(way: String) throws {
    let trial = try Program.run("recorder-trial", ["end", scratch.log, way])
    #expect(trial.exitStatus == (way == "exit" ? 9 : 0))
    let incident = try scratch.incident()
    #expect(incident.messages == ["process started", "before the end", "process exited"])
    #expect(incident.ending == .clean)
  }

  @Test(arguments: [("kill", SIGKILL), ("abort", SIGABRT)])
  func aProcessThatIsKilledEndsSuddenly(way: String, signal: Int32) throws {
    let trial = try Program.run("recorder-trial", ["end", scratch.log, way])
    #expect(trial.signal == signal)
    let incident = try scratch.incident()
    #expect(incident.messages == ["process started", "before the end"])
    #expect(incident.ending == .killed)
  }

  @Test func aProcessThatLeavesWithoutItsHandlersEndsSuddenly() throws {
    let trial = try Program.run("recorder-trial", ["end", scratch.log, "_exit"])
    #expect(trial.exitStatus == 9)
    #expect(try scratch.incident().ending == .killed)
  }

  /// Whoever looks at a process as it dies, as `ps` does, keeps its memory, and with it the log's lock.
  @Test(.notUnderQemu("qemu makes up when the process itself started"))
  func aLockThatOutlivesItsWriterIsNoWriter() throws {
    let trial = try Program("recorder-trial", ["end", scratch.log, "kill"])
    trial.waitUntilItIsDead()
    let file = open(scratch.log, O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    try #require(flock(file, LOCK_EX) == 0)
    #expect(try scratch.incident().ending == .killed)
    let next = try BreadcrumbRecorder(path: scratch.log, capacity: 256 << 10, automatic: [])
    next.close()
    #expect(trial.end().signal == SIGKILL)
  }

  @Test func aLockThatALivingProcessHoldsIsItsWriters() throws {
    let first = try BreadcrumbRecorder(path: scratch.log, capacity: 256 << 10, automatic: [])
    defer { first.close() }
    #expect(try scratch.incident().ending == .running)
    #expect(throws: RecordingError.self) {
      try BreadcrumbRecorder(path: scratch.log, capacity: 256 << 10, automatic: [])
    }
  }

  @Test func closingIsACleanEndAndNothingIsRecordedAfterIt() throws {
    let trial = try Program.run("recorder-trial", ["end", scratch.log, "close"])
    #expect(trial.exitStatus == 9)
    let incident = try scratch.incident()
    #expect(incident.messages == ["process started", "before the end"])
    #expect(incident.ending == .clean)
  }

  @Test func closingFreesTheLockAndMayBeDoneTwice() throws {
    let first = try BreadcrumbRecorder(path: scratch.log, capacity: 256 << 10, automatic: [])
    first.record("first")
    #expect(try scratch.incident().ending == .running)
    first.close()
    first.close()
    #expect(!first.isRecording)
    #expect(first.flush())
    let second = try BreadcrumbRecorder(path: scratch.log, capacity: 256 << 10, automatic: [])
    first.record("late")
    second.record("second")
    #expect(try scratch.incident().messages == ["second"])
    #expect(try scratch.incident("breadcrumbs.1.log").messages == ["first"])
    second.close()
  }

  @Test(.enabled(if: !hasThreadSanitizer))
  func aFileCutShortByAnotherStopsTheRecordingAndNotTheHost() throws {
    let trial = try Program("recorder-trial", ["truncate", scratch.log])
    #expect(trial.line() == "recording")
    #expect(truncate(scratch.log, 64 << 10) == 0)
    let ending = trial.end()
    #expect(ending.exitStatus == 0)
    #expect(ending.lines.last == "records false, flushes true")
    let complaint = "mainstay: something truncated the breadcrumb log; recording has stopped\n"
    #expect(ending.errors == complaint)
    let incident = try scratch.incident()
    #expect(incident.ending == .cutShort)
    #expect(incident.unread.contains { $0.reason == .truncated })
  }

  @Test(.enabled(if: !hasThreadSanitizer))
  func afterACutToNothingTheHostStillLives() throws {
    let trial = try Program("recorder-trial", ["truncate", scratch.log])
    #expect(trial.line() == "recording")
    #expect(truncate(scratch.log, 0) == 0)
    #expect(trial.end().exitStatus == 0)
  }

  @Test(arguments: ["default", "before", "after"])
  func aBusErrorOfTheHostsOwnGoesToTheHost(handler: String) throws {
    let without = try Program.run("recorder-trial", ["bus", scratch.log, "without", handler])
    let with = try Program.run("recorder-trial", ["bus", scratch.log, "with", handler])
    #expect(with.status & ~0x80 == without.status & ~0x80)
    #expect(with.lines.filter { $0 != "records true" } == without.lines)
    if handler == "default" {
      #expect(with.signal == SIGBUS || isSanitized)
    } else {
      #expect(with.lines == ["survived 1", "survived 1", "records true"])
    }
  }
}
