import LogReading
import Foundation
import IncidentModel
import ProcessTesting
import Testing

@Suite("Tasks that wait when the process ends", .enabled(if: !isSanitized))
struct WaitingTaskTests {
  @Test("are listed by place, the most tasks first")
  func byPlace() throws {
    let waiting = try #require(try crash(in: "places").waiting)
    #expect(waiting.tasks == 5 && waiting.unread == 0)
    #expect(waiting.places.map(\.kind) == [.continuation, .continuation, .continuation])
    #expect(waiting.places.map(\.tasks) == [3, 1, 1])
    #expect(waiting.places[1].task < waiting.places[2].task)
    #expect(waiting.places.allSatisfy { $0.stack.end == .complete && $0.stack.frames.count > 2 })
    #expect(waiting.places.allSatisfy { $0.stack.frames.allSatisfy(\.isAsyncCaller) })
  }

  @Test(
    "are not those that go on: resumed a moment before the end, or cancelled, or gone",
    arguments: ["resumed", "cancelled", "filled"])
  func notThoseThatGoOn(scene: String) throws {
    let waiting = try #require(try crash(in: scene).waiting)
    #expect(waiting.tasks == 1 && waiting.places.map(\.tasks) == [1])
  }

  @Test("are all listed, ten thousand of them")
  func crowd() throws {
    let waiting = try #require(try crash(in: "crowd").waiting)
    #expect(waiting.tasks == 10_000 && waiting.places.map(\.tasks) == [10_000])
    #expect(waiting.unread == 0)
  }

  @Test("are listed in a crash inside malloc, which holds its lock")
  func insideMalloc() throws {
    let crash = try crash(in: "malloc", signal: SIGABRT)
    #expect(crash.waiting?.places.map(\.kind) == [.continuation] && crash.stage == .recorded)
  }

  @Test("are listed while other threads create tasks")
  func whileCreating() throws {
    let crash = try crash(in: "creating", signal: SIGSEGV)
    let waiting = try #require(crash.waiting)
    // Each of the first 2,000 tasks waits for a thread, or in its only place, or runs.
    #expect(waiting.tasks > 1900 && waiting.tasks <= 400_000)
    #expect(waiting.places.allSatisfy { $0.kind == .continuation || $0.kind == .turn })
    #expect(waiting.places.count { $0.kind == .continuation } <= 1)
    #expect(crash.others.isEmpty && crash.stage == .recorded)
  }

  @Test("are not invented: copies of a task and garbage that begins like one are none")
  func copies() throws {
    let crash = try crash(in: "copies")
    #expect(crash.waiting?.tasks == 1 && crash.waiting?.places.map(\.tasks) == [1])
    #expect(crash.others.isEmpty && crash.stage == .recorded)
  }

  @Test("are searched for a limited time, and the rest of the memory is counted")
  func largeMemory() throws {
    let waiting = try #require(try crash(in: "large").waiting)
    // The large mapping comes last.
    #expect(waiting.unread > 400 << 20 && waiting.tasks <= 1)
  }

  @Test("are listed in a hang while memory appears and disappears, which harms no one")
  func vanishing() throws {
    let log = TestFiles.path("waiting.log")
    let service = try Program(command: [Self.program, "vanishing", log])
    #expect(service.line() == "installed")
    #expect(
      try comesToHold {
        told(in: try LogReader(path: log).read().crumbs, during: "hang").count > 1
      })
    kill(service.id, SIGQUIT)
    service.waitUntilItIsDead()
    let incident = try LogReader(path: log).read()
    #expect(incident.crash?.signal == Int(SIGQUIT) && incident.crash?.others.isEmpty == true)
    #expect(incident.crash?.waiting?.places.map(\.tasks) == [1])
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

  @Test(
    "are told from those that come and go, at a crash at any instant",
    arguments: Array(0..<12).inShort(oneOf: 6))
  func churn(run: Int) throws {
    let crash = try crash(in: "churn", signal: SIGSEGV)
    let waiting = try #require(crash.waiting)
    #expect(waiting.places.contains { $0.kind == .continuation && $0.tasks == 3 })
    // 3 wait, 16 take turns, 4 wait for one each. Dispatch may start a thread for the threads that are held: while it runs
    // tasks, one task may end after it was read, and its successor be read, too.
    #expect((3...40).contains(waiting.tasks))
    #expect(crash.others.isEmpty && crash.stage == .recorded)
  }

  @Test("are counted where the runtime counts all tasks, and not where its registry is off")
  func counted() throws {
    #expect(try crash(in: "counted").allTasks == 1234)
    #expect(try crash(in: "cancelled").allTasks == nil)
  }

  @Test("are not listed without a time limit")
  func off() throws {
    #expect(try crash(in: "off").waiting == nil)
  }

  @Test("are listed in crumbs when the main queue hangs")
  func hang() throws {
    let log = TestFiles.path("waiting.log")
    let service = try Program(command: [Self.program, "hang", log])
    #expect(service.line() == "installed")
    #expect(
      try comesToHold {
        told(in: try LogReader(path: log).read().crumbs, during: "hang").count > 2
      })
    kill(service.id, SIGKILL)
    try check(try LogReader(path: log).read().crumbs, during: "hang", tasks: 2)
  }

  @Test("are listed in a hang with the actor for whose turn they wait")
  func kindsInHang() throws {
    let log = TestFiles.path("waiting.log")
    let service = try Program(command: [Self.program, "hang-kinds", log])
    #expect(service.line() == "installed")
    var turns: [Crumb] = []
    try #require(
      try comesToHold {
        turns = told(in: try LogReader(path: log).read().crumbs, during: "hang").filter {
          $0["for"] == .string("turn")
        }
        return turns.contains { $0["executor"] != nil }
      })
    kill(service.id, SIGKILL)
    #expect(turns.contains { $0["executor"] == .string("actor") && $0["tasks"] == .integer(2) })
  }

  @Test("are listed in crumbs when the process was asked to end, and does not", .long)
  func shutdown() throws {
    let log = TestFiles.path("waiting.log")
    let service = try Program(command: [Self.program, "shutdown", log])
    #expect(service.line() == "installed" && service.line() == "ready")
    kill(service.id, SIGTERM)
    #expect(
      try comesToHold {
        told(in: try LogReader(path: log).read().crumbs, during: "shutdown").count > 1
      })
    kill(service.id, SIGKILL)
    try check(try LogReader(path: log).read().crumbs, during: "shutdown", tasks: 1)
  }

  @Test("are listed after each loss of a continuation")
  func lost() throws {
    let log = TestFiles.path("waiting.log")
    let service = try Program(command: [Self.program, "lost", log])
    #expect(service.line() == "installed" && service.line() == "ready")
    for losses in 1...5 {
      kill(service.id, SIGUSR1)
      try #require(
        try comesToHold {
          told(in: try LogReader(path: log).read().crumbs, during: "loss").first?["tasks"]
            == .integer(Int64(losses))
        })
    }
    kill(service.id, SIGKILL)
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
