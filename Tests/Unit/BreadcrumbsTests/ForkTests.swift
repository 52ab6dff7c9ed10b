import Glibc
import IncidentModel
import ProcessTesting
import Testing

@testable import Breadcrumbs

/// What a forked child may and may not do to its parent's log.
struct ForkTests {
  /// qemu takes `MADV_WIPEONFORK` and does nothing; a fork also calls who has asked to be told of it.
  @Test(arguments: isUnderQemu ? ["fork"] : ["fork", "clone"])
  func aChildLeavesItsParentsLogAloneAndMayOpenItsOwn(way: String) throws {
    let scratch = try Scratch()
    let trial = try Program.run("recorder-trial", ["fork", scratch.log, way])
    #expect(trial.exitStatus == 0)
    #expect(trial.lines.contains("child records false"))
    #expect(trial.lines.contains("child's own records true"))
    #expect(trial.lines.contains("child's status \(7 << 8)"))
    #expect(trial.lines.contains("parent records true"))
    let incident = try scratch.incident()
    #expect(
      incident.messages == ["process started", "parent before", "parent after", "process exited"])
    #expect(incident.ending == .clean)
    #expect(incident.unread.isEmpty)
    let own = try scratch.incident("breadcrumbs.log.child")
    #expect(own.messages == ["process started", "child in its own log", "process exited"])
    #expect(own.ending == .clean)
  }

  @Test func aChildThatOutlivesItsParentHoldsNoLock() throws {
    let scratch = try Scratch()
    let trial = try Program.run("recorder-trial", ["lock", scratch.log])
    #expect(trial.signal == SIGKILL)
    let child = pid_t(trial.lines.first?.split(separator: " ").last ?? "") ?? 0
    #expect(child > 0 && kill(child, 0) == 0)
    // The child lets go as soon as it runs at all, which may be after its parent's death.
    #expect(try comesToHold { try scratch.incident().ending == .killed })
    let next = try BreadcrumbRecorder(path: scratch.log, capacity: 256 << 10, automatic: [])
    next.close()
    kill(child, SIGKILL)
    #expect(try scratch.incident("breadcrumbs.1.log").messages.contains("parent"))
  }
}
