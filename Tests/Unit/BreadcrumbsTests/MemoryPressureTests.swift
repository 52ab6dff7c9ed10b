import Foundation
import IncidentModel
import ProcessTesting
import Testing

@testable import Breadcrumbs

/// A lack of memory, as the kernel reports it, leaves a lifecycle crumb.
struct MemoryPressureTests {
  private let scratch: Scratch
  private let recorder: BreadcrumbRecorder

  init() throws {
    scratch = try Scratch()
    recorder = try BreadcrumbRecorder(path: scratch.log, capacity: 256 << 10, automatic: [])
  }

  private func warnings() throws -> [Crumb] {
    try scratch.incident().crumbs.filter { $0.message == "did receive memory warning" }
  }

  @Test func aChangeOfTheGroupsEventsIsAWarningAndItsEndIsNone() throws {
    let events = scratch.path + "/memory.events"
    try scratch.write("low 0\n", to: "memory.events")
    let watch = try #require(MemoryPressure(log: recorder.log, events: events))
    var changes = 0
    let isTwo = try comesToHold {
      changes += 1
      try scratch.write("low \(changes)\n", to: "memory.events")
      return try warnings().count >= 2
    }
    #expect(isTwo)
    unlink(events)
    let times = try warnings().map(\.monotonic)
    for (earlier, later) in zip(times, times.dropFirst()) {
      #expect(later - earlier >= 1_000_000_000, "one a second at most, of \(changes) changes")
    }
    withExtendedLifetime(watch) {}
  }

  @Test func aFileThatIsNotThereIsNotWatched() {
    #expect(MemoryPressure(log: recorder.log, events: scratch.path + "/none") == nil)
  }

  @Test func theThreadEndsWithTheWatch() throws {
    try scratch.write("low 0\n", to: "memory.events")
    let before = threads().count
    var watch = MemoryPressure(log: recorder.log, events: scratch.path + "/memory.events")
    #expect(watch != nil)
    let ids = threads()
    #expect(!ids.isEmpty)
    watch = nil
    // Joined, it is in the list until the kernel has done with it.
    #expect(comesToHold { threads().count <= before })
  }

  @Test(.enabled(if: access("/proc/pressure/memory", W_OK) == 0, "no pressure file to write"))
  func theSystemsTriggerIsAccepted() {
    #expect(MemoryPressure(log: recorder.log, stall: "/proc/pressure/memory") != nil)
  }

  /// The threads of this process that watch for a lack of memory.
  private func threads() -> [String] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return all.filter { id in
      (try? String(contentsOfFile: "/proc/self/task/\(id)/comm", encoding: .utf8)) == "mainstay\n"
    }
  }
}
