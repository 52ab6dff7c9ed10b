import LogReading
import Foundation
import IncidentModel
import ProcessTesting
import Testing

@Suite("Tasks that wait when the process ends", .enabled(if: !isSanitized))
struct WaitingTaskTests {
  @Test("are listed by place, the oldest first, and loops apart")
  func byPlace() throws {
    let waiting = try #require(try crash(in: "places").waiting)
    #expect(waiting.tasks == 5 && waiting.missed == 0)
    #expect(waiting.places.map(\.kind) == [.continuation, .continuation, .continuation])
    #expect(waiting.places.map(\.isLoop) == [false, false, true])
    #expect(waiting.places.prefix(2).map(\.tasks).sorted() == [1, 3])
    #expect(waiting.places[0].oldest >= waiting.places[1].oldest)
    // They waited for a tenth of a second before the end; the clock is a few milliseconds exact.
    #expect(waiting.places.allSatisfy { $0.newest >= 80_000_000 && $0.oldest < 60_000_000_000 })
    #expect(waiting.places.allSatisfy { $0.stack.end == .complete && $0.stack.frames.count > 2 })
    #expect(waiting.places.allSatisfy { $0.stack.frames.allSatisfy(\.isAsyncCaller) })
  }

  @Test(
    "are those in no loop that had waited before, elsewhere")
  func elsewhere() throws {
    let waiting = try #require(try crash(in: "elsewhere").waiting)
    #expect(waiting.places.map(\.isLoop) == [false])
  }

  @Test(
    "are not those that go on: resumed a moment before the end, or cancelled, or gone",
    arguments: ["resumed", "cancelled", "short", "filled"])
  func notThoseThatGoOn(scene: String) throws {
    let waiting = try #require(try crash(in: scene).waiting)
    #expect(waiting.tasks == 1 && waiting.places.map(\.tasks) == [1])
    #expect(waiting.places.first?.isLoop == false)
  }

  @Test("are listed also where the runtime waits for them: in sleep, in a stream, for a value")
  func inTheRuntime() throws {
    let waiting = try #require(try crash(in: "sleeping").waiting)
    #expect(waiting.tasks == 7)
    #expect(waiting.places.filter { $0.kind == .task }.map(\.tasks) == [1])
    #expect(waiting.places.filter { $0.kind == .continuation }.map(\.tasks).sorted() == [1, 1, 4])
  }

  @Test("wait for a continuation, a task, a group, or their turn on an actor that another holds")
  func kinds() throws {
    let crash = try crash(in: "kinds")
    let waiting = try #require(crash.waiting)
    let kinds = Dictionary(grouping: waiting.places, by: \.kind)
    #expect(kinds[.continuation]?.reduce(0) { $0 + $1.tasks } == 2)
    #expect(kinds[.task]?.reduce(0) { $0 + $1.tasks } == 1)
    #expect(kinds[.group]?.reduce(0) { $0 + $1.tasks } == 1)
    let turn = try #require(kinds[.turn]?.first)
    #expect(turn.tasks == 2 && turn.executor != 0 && waiting.tasks == 6)
    #expect(crash.otherTasks.map(\.task.executor) == [turn.executor])
  }

  @Test("and found no room to be noted are counted")
  func crowd() throws {
    let waiting = try #require(try crash(in: "crowd").waiting)
    #expect(waiting.tasks + Int(waiting.missed) == 20_000)
    #expect(waiting.tasks > 10_000 && waiting.places.map(\.tasks) == [waiting.tasks])
  }

  @Test(
    "are told from those that come and go, at a crash at any instant",
    arguments: Array(0..<12).inShort(oneOf: 6))
  func churn(run: Int) throws {
    let crash = try crash(in: "churn", signal: SIGSEGV)
    let waiting = try #require(crash.waiting)
    let idle = waiting.places.filter { $0.kind == .continuation && !$0.isLoop && $0.tasks == 3 }
    #expect(idle.count == 1 && idle.first.map { $0.newest >= 30_000_000 } == true)
    // 3 wait, 16 take turns, 4 wait for one each.
    #expect(waiting.tasks <= 27)
    #expect(crash.others.isEmpty && crash.stage == .recorded)
  }

  @Test("are counted where the runtime counts all tasks, and not where its registry is off")
  func counted() throws {
    #expect(try crash(in: "counted").allTasks == 1234)
    #expect(try crash(in: "cancelled").allTasks == nil)
  }

  @Test("are not noted unless somebody asks for it")
  func off() throws {
    #expect(try crash(in: "off").waiting == nil)
  }

  @Test("are listed in crumbs when the main queue hangs")
  func hang() throws {
    let log = TestFiles.path("waiting.log")
    let service = try Program(command: [Self.program, "hang", log])
    #expect(service.line() == "on")
    #expect(
      try comesToHold {
        told(in: try LogReader(path: log).read().crumbs, during: "hang").count > 2
      })
    kill(service.id, SIGKILL)
    try check(try LogReader(path: log).read().crumbs, during: "hang", tasks: 2)
  }

  @Test("are listed in crumbs when the process was asked to end, and does not", .long)
  func shutdown() throws {
    let log = TestFiles.path("waiting.log")
    let service = try Program(command: [Self.program, "shutdown", log])
    #expect(service.line() == "on" && service.line() == "ready")
    kill(service.id, SIGTERM)
    #expect(
      try comesToHold {
        told(in: try LogReader(path: log).read().crumbs, during: "shutdown").count > 1
      })
    kill(service.id, SIGKILL)
    try check(try LogReader(path: log).read().crumbs, during: "shutdown", tasks: 1)
  }

  private func check(_ crumbs: [Crumb], during: String, tasks: Int64) throws {
    let told = told(in: crumbs, during: during)
    let count = try #require(told.first)
    #expect(count["tasks"] == .integer(tasks))
    let places = told.dropFirst()
    #expect(places.count == Int(tasks))
    #expect(places.allSatisfy { $0["for"] == .string("continuation") })
    #expect(places.allSatisfy { $0["tasks"] == .integer(1) && $0.stack?.frames.isEmpty == false })
  }

  /// How many tasks waited, and where, as it was told last. A busy machine may let the main queue hang before.
  private func told(in crumbs: [Crumb], during: String) -> ArraySlice<Crumb> {
    let waiting = crumbs.filter { $0.category == "waiting" }
    let counts = waiting.indices.filter { waiting[$0].message == "tasks wait" }
    guard let count = counts.last(where: { waiting[$0]["during"] == .string(during) })
    else { return [] }
    return waiting[count..<(counts.first { $0 > count } ?? waiting.endIndex)]
  }

  /// Of this build, or the one that is named, of another build.
  private static let program =
    ProcessInfo.processInfo.environment["MAINSTAY_TEST_WAITING"]
    ?? "\(ChildProcess.directory)/waiting"

  private func crash(in scene: String, signal: Int32 = SIGQUIT) throws -> Crash {
    let log = TestFiles.path("waiting.log")
    let ended = try ChildProcess.run(
      path: Self.program, [scene, log], ["SWIFT_BACKTRACE": "enable=no"])
    try #require(ended.signal == signal, "\(ended.signal) \(ended.status) \(ended.errors)")
    return try #require(try LogReader(path: log).read().crash)
  }
}
