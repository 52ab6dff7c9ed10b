import Foundation
import IncidentModel
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

  private func warnings() throws -> Int {
    try scratch.incident().messages.count { $0 == "did receive memory warning" }
  }

  @Test func aChangeOfTheGroupsEventsIsAWarningAndItsEndIsNone() throws {
    let events = scratch.path + "/memory.events"
    try scratch.write("low 0\n", to: "memory.events")
    let watch = try #require(MemoryPressure(log: recorder.log, events: events))
    try scratch.write("low 1\n", to: "memory.events")
    for _ in 0..<200 where try warnings() == 0 { usleep(10_000) }
    try scratch.write("low 2\n", to: "memory.events")
    #expect(try warnings() == 1)  // one second has yet to pass
    unlink(events)
    usleep(1_300_000)
    #expect(try warnings() <= 2)
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
    #expect(threads().count <= before)
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
