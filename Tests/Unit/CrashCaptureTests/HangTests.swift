import LogReading
import CVictims
import Foundation
import IncidentModel
import ProcessTesting
import Testing

@Suite("A main queue that stops answering")
struct HangTests {
  @Test(
    "leaves where it is held, and how long",
    arguments: ["hang", "hang-on-worker", "hang-on-small-stack"])
  func leavesWhereItIsHeld(way: String) throws {
    let hangs = try crumbsOfHolder(in: way)
    try #require(hangs.map(\.message) == ["does not answer", "answers again"])
    let stack = try #require(hangs[0].stack)
    #expect(stack.frames.count > 3)
    #expect(hangs[0]["thread"] != nil)
    #expect(try #require(milliseconds(hangs[1])) >= 200)
  }

  @Test(
    "takes nothing from a profiler, whose signal it asks by",
    arguments: ["hang-then-profiled", "profiled-then-hang", "profiled-twice"])
  func takesNothingFromProfilers(way: String) throws {
    let told = try crumbsOfHolder(in: way).map(\.message)
    #expect(told == ["does not answer", "answers again"])
  }

  @Test("is no hang where the process never ran its main queue")
  func isNoHang() throws {
    #expect(try hangCrumbs(of: "no-main-queue").isEmpty)
  }

  /// A main thread that got no turn may not have answered for a while; not for as long as it was stopped.
  @Test("did not answer for none of the time in which the process was stopped")
  func stopCountsForNothing() throws {
    let told = try hangCrumbs(of: "stopped").compactMap(milliseconds)
    #expect(!told.contains { $0 >= STOPPED_MILLISECONDS })
  }

  /// Where others have the processors, it may be said first that it got none.
  private func crumbsOfHolder(in way: String) throws -> [Crumb] {
    try hangCrumbs(of: way).filter { $0["doing"] != .string("starved") }
  }

  private func hangCrumbs(of way: String) throws -> [Crumb] {
    let log = FileManager.default.temporaryDirectory
      .appendingPathComponent("hang-\(UUID().uuidString).log").path
    defer { unlink(log) }
    let victim = try ChildProcess.run("victim", [way, "main", log])
    try #require(victim.signal == 0 && victim.status == 0, "\(victim.everything)")
    return try LogReader(path: log).read().crumbs.filter {
      $0.kind == .hang && $0.category == "main queue"
    }
  }

  private func milliseconds(_ crumb: Crumb) -> Int64? {
    if case .integer(let value)? = crumb["milliseconds"] { value } else { nil }
  }
}
