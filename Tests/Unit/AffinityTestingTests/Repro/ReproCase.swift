/// A way to misbehave, the rule that finds it, and code that has its bug no more.
struct ReproCase: Sendable {
  let way: String
  let rule: String
  /// What `setUp` does with `scenario`; CALLBACK stands for the callback's name.
  let setUp: String
  var subject = ""

  static let all: [ReproCase] = [
    ReproCase(
      way: "off-main-ui", rule: "off-main-ui",
      setUp: "scenario.callback(CALLBACK) { DispatchQueue.main.async { uiWork(\"layout\") {} } }"),
    ReproCase(
      way: "unhopped-callback", rule: "unhopped-callback",
      setUp: """
        let subject = Subject()
        scenario.keep(subject)
        let hop = MainHop(subject, "rows")
        scenario.callback(CALLBACK) { hop.send { $0.show() } }
        """, subject: "func show() { uiWork(\"layout\") {} }"),
    ReproCase(
      way: "wrong-queue", rule: "wrong-executor",
      setUp: """
        let home = DispatchQueue(label: "home")
        scenario.callback(CALLBACK) { home.async { Affinity.queue(home).expect("rows") } }
        """),
    ReproCase(
      way: "wrong-actor", rule: "wrong-executor",
      setUp: """
        let home = Subject()
        scenario.keep(home)
        scenario.callback(CALLBACK) {
          Affinity.actor(home.place).async { Affinity.actor(home.place).expect("a price") }
        }
        """, subject: "actor Place {}\nlet place = Place()"),
    ReproCase(
      way: "wrong-main", rule: "wrong-executor",
      setUp:
        "scenario.callback(CALLBACK) { DispatchQueue.main.async { expectMainQueue(\"stock\") } }"),
    ReproCase(
      way: "queue-trap", rule: "isolation-trap",
      setUp: """
        scenario.callback(CALLBACK) {
          DispatchQueue.main.async { dispatchPrecondition(condition: .onQueue(.main)) }
        }
        """),
    ReproCase(
      way: "actor-trap", rule: "isolation-trap",
      setUp: """
        scenario.callback(CALLBACK) { DispatchQueue.main.async { MainActor.assumeIsolated {} } }
        """),
    ReproCase(
      way: "store-delegate", rule: "isolation-trap",
      setUp: "scenario.callback(CALLBACK) { DispatchQueue.main.async { requireMainQueue() } }"),
    ReproCase(
      way: "store-delegate", rule: "crash-cause",
      setUp: "scenario.callback(CALLBACK) { DispatchQueue.main.async { requireMainQueue() } }"),
    ReproCase(
      way: "two-readers", rule: "crash-cause",
      setUp: """
        let subject = Subject()
        scenario.keep(subject)
        scenario.callback(CALLBACK) { subject.read() }
        """,
      subject: "let rows: [Int?] = [nil]\nfunc read() { _ = rows[0] ?? 0 }"),
    ReproCase(
      way: "ui-after-background", rule: "ui-after-background", setUp: quiet, subject: quietSubject),
    ReproCase(
      way: "background-layout", rule: "ui-after-background", setUp: quiet, subject: quietSubject),
    ReproCase(
      way: "affinity-drift", rule: "affinity-drift",
      setUp: """
        let subject = Subject()
        scenario.keep(subject)
        scenario.callback(CALLBACK) { DispatchQueue.main.async { subject.value += 1 } }
        """, subject: "@MainQueueBound(\"rows\", recorded: true) var value = 0"),
    ReproCase(
      way: "hop-overtaken", rule: "hop-overtaken",
      setUp: """
        let subject = Subject()
        scenario.keep(subject)
        let hop = MainHop(subject, "rows", delivery: .always)
        scenario.callback(CALLBACK) { hop.send { $0.show() } }
        """, subject: "func show() { uiWork(\"layout\") {} }"),
    ReproCase(
      way: "late-delivery", rule: "late-delivery",
      setUp: """
        let subject = Subject()
        scenario.keep(subject)
        let hop = MainHop(subject, "rows", delivery: .always)
        scenario.callback(CALLBACK) { hop.send { $0.show() } }
        scenario.lifecycle.onEvent { if $0 == .didEnterBackground { hop.cancel() } }
        """, subject: "func show() { uiWork(\"layout\") {} }"),
    ReproCase(
      way: "hop-storm", rule: "hop-storm",
      setUp: """
        let subject = Subject()
        scenario.keep(subject)
        let hop = MainHop(subject, "progress", delivery: .always)
        scenario.callback(CALLBACK) {
          for _ in 1...60 where !subject.isOnItsWay.exchange(true, ordering: .relaxed) {
            hop.send { $0.isOnItsWay.store(false, ordering: .relaxed) }
          }
        }
        """, subject: "let isOnItsWay = Atomic(false)"),
    ReproCase(
      way: "background-task-leak", rule: "background-task-leak", setUp: ending,
      subject: endingSubject),
    ReproCase(
      way: "expired-task", rule: "background-task-leak", setUp: ending,
      subject: endingSubject),
    ReproCase(
      way: "sync-deadlock", rule: "sync-deadlock",
      setUp: """
        let worker = DispatchQueue(label: "worker")
        scenario.callback(CALLBACK) { worker.async { DispatchQueue.main.async {} } }
        """),
    ReproCase(
      way: "own-deadlock", rule: "sync-deadlock",
      setUp: "scenario.callback(CALLBACK) { DispatchQueue.main.async {} }"),
  ]

  /// What no test can repeat, and a part of the reason that is given.
  static let refused = [
    ("main-blocked", "about durations"), ("slow-hop", "about durations"),
    ("wrong-thread", "the first thread that calls it"),
    ("two-writers", "need not be the cause of its death"),
    ("plain-crash", "the process crashed on the main thread"),
    ("background-crash", "the log does not show that a callback led to the crash"),
    ("dropped-delivery", "is only a note"), ("killed", "ended abruptly"),
    ("answer-overtakes", "calls of one hop lost their order"),
  ]

  private static let quiet = """
    let subject = Subject()
    scenario.keep(subject)
    scenario.lifecycle.onEvent { event in
      if event == .didEnterBackground { subject.isHidden.store(true, ordering: .relaxed) }
      if event == .willEnterForeground { subject.isHidden.store(false, ordering: .relaxed) }
    }
    scenario.callback(CALLBACK) {
      DispatchQueue.main.async {
        if !subject.isHidden.load(ordering: .relaxed) { uiWork("layout") {} }
      }
    }
    """
  private static let quietSubject = "let isHidden = Atomic(false)"

  private static let ending = """
    let app = scenario.lifecycle
    let subject = Subject()
    scenario.callback(CALLBACK) {
      let task = app.beginBackgroundTask("upload") { subject.end() }
      subject.running.withLock { $0 = task }
    }
    """
  private static let endingSubject = """
    let running = Mutex<SimulatedBackgroundTask?>(nil)
    func end() { running.withLock { $0 }?.end() }
    """
}
