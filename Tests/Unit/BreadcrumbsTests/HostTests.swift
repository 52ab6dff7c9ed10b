import Glibc
import IncidentModel
import ProcessTesting
import Testing

@testable import Breadcrumbs

/// What a host does with its own signals, descriptors, memory and threads harms neither it nor its log.
struct HostTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test(.enabled(if: !isSanitized))
  func aHostThatBlocksAllSignalsSurvivesACutLog() throws {
    let trial = try Program.run("recorder-trial", ["masked", scratch.log, "cut"])
    #expect(trial.signal == nil)
    #expect(trial.lines == ["lives, records false"])
    #expect(try scratch.incident().ending == .cutShort)
  }

  @Test(.notUnderQemu("qemu lets nobody wait for a SIGBUS"))
  func aHostThatWaitsForABusErrorThatSomebodySendsGetsIt() throws {
    let trial = try Program.run("recorder-trial", ["masked", scratch.log, "wait"])
    #expect(trial.signal == nil)
    #expect(trial.lines == ["waited \(SIGBUS)", "waited \(SIGBUS)"])
  }

  @Test(.enabled(if: !isSanitized), arguments: ["close", "cut"])
  func filesThatADaemonOpensInsteadOfOursStayAsTheyWere(way: String) throws {
    let trial = try Program.run("recorder-trial", ["descriptors", scratch.log, way])
    #expect(trial.exitStatus == 0)
    #expect(trial.lines == ["files as they were true"])
    let incident = try scratch.incident()
    #expect(incident.ending == (way == "cut" ? .cutShort : .clean))
    if way == "close" { #expect(incident.messages.contains("after")) }
  }

  @Test func standardDescriptorsThatAreFreeStayFree() throws {
    let trial = try Program.run("recorder-trial", ["standard", scratch.log])
    #expect(trial.lines == ["standard descriptors left free true"])
    #expect(try scratch.incident().messages.contains("before"))
  }

  @Test(.enabled(if: !isSanitized))
  func aLimitOnFileSizesEndsNobodyWhoseLogIsCutShort() throws {
    let trial = try Program.run("recorder-trial", ["size", scratch.log])
    #expect(trial.signal == nil)
    #expect(trial.lines == ["lives"])
    #expect(try scratch.incident().ending == .cutShort)
  }

  /// Locked are the log, and for its chunks and threads not a tenth of it beside.
  @Test(.enabled(if: !isSanitized))
  func aHostThatLocksItsMemoryPaysForWhatIsUsedUntilItIsClosed() throws {
    let trial = try Program.run("recorder-trial", ["cycles", scratch.log, "lock", "5"])
    if trial.lines == ["cannot impose"] { return }
    let sizes = trial.lines.compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
    try #require(sizes.count == 3, "\(trial.output)")
    #expect(sizes[0] < 9 << 10, "kibibytes when open")
    #expect(sizes[1] < 256, "when closed")
    #expect(sizes[2] - sizes[1] < 128, "and after four more")
  }

  @Test(.enabled(if: !isSanitized), .long)
  func logsMayBeOpenedAndClosedForEverInLittleAddressSpace() throws {
    let trial = try Program.run("recorder-trial", ["cycles", scratch.log, "space", "100"])
    #expect(trial.exitStatus == 0, "\(trial.output)")
    #expect(try scratch.incident().messages == ["main"])
  }

  @Test func aCancelledThreadLeavesNoLockAndNoDescriptorBehind() throws {
    let trial = try Program.run("recorder-trial", ["cancel", scratch.log])
    #expect(
      trial.lines == [
        "cancelled true", "closed", "opened true, descriptors left 0", "opened again",
      ])
    #expect(try scratch.incident().ending == .clean)
    #expect(try scratch.incident("breadcrumbs.log.other").ending == .clean)
  }

  @Test func threadsThatRecordInTheirLastDestructorsLeaveRoomForOthers() throws {
    let trial = try Program.run("recorder-trial", ["rounds", scratch.log, "9000"])
    #expect(trial.exitStatus == 0)
    let incident = try scratch.incident()
    #expect(incident.losses.dropped.isEmpty)
    #expect(incident.messages.contains("at last"))
    let kept = UInt64(incident.crumbs.count)
    #expect(kept + incident.losses.recycled[.note, default: 0] == 5 * 9001)
  }
}
