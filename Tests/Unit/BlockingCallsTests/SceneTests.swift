import LogReading
import Glibc
import IncidentModel
import CLogFormat
import ProcessTesting
import Testing

@Suite("Calls that block", .enabled(if: !isSanitized))
struct SceneTests {
  @Test(
    "are found on a thread of the pool, with who called them",
    arguments: Scene.pool.inShort(oneOf: 3))
  func onThePool(scene: Scene) throws {
    let found = try Scene.crumbs(of: scene.name)
    let crumb = try #require(found.first { $0.message == scene.call }, "\(found.map(\.message))")
    // What starts a process may wait by itself.
    #expect(found.filter { $0.message == scene.call }.count == 1)
    #expect(crumb[MS_KEY_EXECUTOR] == .string("pool"))
    guard case .integer(let nanoseconds) = crumb[MS_KEY_NANOSECONDS] else {
      Issue.record("no duration")
      return
    }
    #expect(nanoseconds >= 5_000_000 && nanoseconds < 60_000_000_000)
    #expect(crumb.stack?.end == .complete && (crumb.stack?.frames.count ?? 0) > 2)
  }

  @Test(
    "are found on the main queue and on an event loop",
    arguments: isWholeRun ? Scene.pool : [], [("main", "main queue"), ("loop", "loop")])
  func onOthers(scene: Scene, place: (name: String, executor: String)) throws {
    let found = try Scene.crumbs(of: scene.name, on: place.name)
    let waits = found.filter { $0.message == scene.call }
    // A loop waits for events, and so does the main queue's.
    let isIdle = ["poll", "select", "epoll_wait"].contains(scene.call)
    #expect(waits.map { $0[MS_KEY_EXECUTOR] } == (isIdle ? [] : [.string(place.executor)]))
  }

  @Test(
    "are found where tasks of the main actor run, and by names of threads",
    arguments: [
      ("main", "main queue"), ("main-actor", "main queue"), ("loop", "loop"),
      ("shared-loop", "loop"),
    ])
  func elsewhere(scene: String, executor: String) throws {
    let found = try Scene.crumbs(of: scene)
    #expect(found.map { $0[MS_KEY_EXECUTOR] } == [.string(executor)])
    #expect(found.map(\.message) == ["usleep"])
  }

  @Test(
    "are not those that wait where nobody else is kept waiting",
    arguments: Scene.controls.inShort(oneOf: 3))
  func controls(scene: String) throws {
    #expect(try Scene.crumbs(of: scene).map(\.message) == [])
  }

  @Test(
    "are told while they go on where they never come back", .long,
    arguments: [("never", "pool"), ("never-main", "main queue")])
  func neverEnds(scene: String, executor: String) throws {
    let log = TestFiles.path("blocking.log")
    let program = try Program(command: [Scene.program, scene, log, "record"])
    try Scene.hasOneThatGoesOn(program, executor, log)
  }

  /// The process was stopped for a part of it, which does not count.
  @Test("are found where the rest of it took too long as well", .long)
  func aroundAStop() throws {
    let took = try Scene.crumbs(of: "halted-and-long").compactMap { crumb in
      if case .integer(let value)? = crumb[MS_KEY_NANOSECONDS] { value } else { nil }
    }
    #expect(took.contains { $0 >= 1_000_000_000 }, "\(took)")
    #expect(took.allSatisfy { $0 < 3_500_000_000 }, "\(took)")
  }

  @Test func endTheProcessWithALineWhereThePolicySaysSo() throws {
    let ended = try Scene.run("usleep", policy: "trap")
    #expect(ended.signal != 0)
    #expect(ended.errors.contains("mainstay: usleep blocked a thread of the pool for "))
  }

  @Test func areALineWhereThePolicySaysSo() throws {
    let ended = try Scene.run("usleep", policy: "log")
    #expect(ended.signal == 0 && ended.status == 0)
    #expect(
      ended.errors.split(separator: "\n").filter { $0.hasPrefix("mainstay: usleep ") }.count == 1)
  }
}

/// A scene of the program `blocking`.
struct Scene: Sendable, CustomTestStringConvertible {
  let name: String
  /// The function of the C library that waits in it.
  let call: String

  var testDescription: String { name }

  static let pool = [
    ("sleep", "nanosleep"), ("usleep", "usleep"), ("semaphore", "sem_wait"), ("group", "futex"),
    ("queue-sync", "futex"), ("nslock", "pthread_mutex_lock"), ("condition", "pthread_cond_wait"),
    ("mutex", "futex"), ("pipe", "read"), ("poll", "poll"), ("process", "waitpid"),
    ("spawned", "waitid"), ("signal-handler", "usleep"), ("rwlock", "pthread_rwlock_rdlock"),
    ("join", "pthread_join"),
    ("flock", "flock"), ("select", "select"), ("write", "write"),
    ("open", "open"), ("recv", "recv"), ("accept", "accept"), ("epoll", "epoll_wait"),
    ("connect", "connect"), ("names", "getaddrinfo"), ("fsync", "fsync"), ("dlopen", "dlopen"),
  ].map { Scene(name: $0, call: $1) }

  /// Whether the standard library is linked in: what has been Foundation's is the program's own then.
  static let isStatic = getenv("MAINSTAY_TEST_STATIC") != nil

  static let controls = [
    "await", "allowed", "short", "own-thread", "own-queue", "own-executor", "loop-waits",
    "other-loop", "busy",
    "idle", "task-group", "turns-of-an-actor", "signalled", "not-to-wait", "timers",
    "uncontended", "brief-contention", "own-threads", "allowed-call", "allowed-library", "stopped",
    "halted",
  ].filter { !isStatic || $0 != "allowed-library" }

  /// The program, or one that was built in another way.
  static let program =
    getenv("MAINSTAY_TEST_BLOCKING").map { String(cString: $0) }
    ?? "\(ChildProcess.directory)/blocking"

  static func run(
    _ scene: String, log: String = TestFiles.path("blocking.log"), policy: String = "record",
    on place: String = "pool"
  ) throws -> ChildProcess {
    try ChildProcess.run(
      path: program, [scene, log, policy],
      ["SWIFT_BACKTRACE": "enable=no", "BLOCKING_ON": place])
  }

  static func crumbs(of scene: String, on place: String = "pool") throws -> [Crumb] {
    let log = TestFiles.path("blocking.log")
    let ended = try run(scene, log: log, on: place)
    try #require(
      ended.signal == 0 && ended.status == 0, "\(ended.signal) \(ended.status) \(ended.errors)")
    return try crumbs(in: log)
  }

  /// Ends the program once it has told of the one call that never comes back, and of no other; then asks crashscan.
  static func hasOneThatGoesOn(_ program: Program, _ executor: String, _ log: String) throws {
    #expect(comesToHold { (try? crumbs(in: log))?.isEmpty == false })
    program.signal(SIGKILL)
    #expect(program.end().signal == SIGKILL)
    let left = try crumbs(in: log)
    #expect(left.map(\.message) == ["sem_wait"])
    #expect(left.map { $0[MS_KEY_EXECUTOR] } == [.string(executor)])
    #expect(left.first?[MS_KEY_THREAD] != nil)
    let told = try ChildProcess.run("crashscan", [log]).output
    #expect(told.contains("until the end"), "\(told)")
    guard executor == "pool" else { return }
    #expect(told.contains("held() (scenes.swift:"), "\(told)")
    #expect(told.contains("│ Task.detached { await waitForNobody() }"), "\(told)")
  }

  static func crumbs(in log: String) throws -> [Crumb] {
    try LogReader(path: log).read().crumbs.filter { $0.category == MS_WORD_BLOCKING }
  }
}
