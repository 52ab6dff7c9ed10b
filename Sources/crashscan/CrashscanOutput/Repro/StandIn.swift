/// Generates Swift code with the bug of a scenario, so that the test fails until the user replaces
/// the code.
struct StandIn {
  let story: ReproScenario
  /// A literal with the name of the callback, and a literal with the name of the work.
  let callback: String
  let work: String
  /// The affinity of the work, as declarations and an expression.
  let home: Home

  struct Home {
    var members: [String] = []
    var affinity = "Affinity.main"
  }

  /// The code that connects the stand-in with the scenario.
  var setUp: [String] {
    switch story {
    case .late:
      hop("hop.send { $0.show() }") + ["scenario.lifecycle.onEvent { subject.lifecycle($0) }"]
    case .burst: hop("for _ in 1...60 { hop.send { $0.show() } }")
    case .overtaken:
      [
        "let subject = StandIn()", "scenario.keep(subject)",
        "let waiting = MainHop(subject, \(work), delivery: .always)",
        "let inline = MainHop(subject, \(work), delivery: .inline)",
        "scenario.callback(\(callback)) { number in",
        "  (number % 2 == 1 ? waiting : inline).send { $0.show() }", "}",
      ]
    case .leak:
      [
        "let subject = StandIn()", "scenario.keep(subject)",
        "let app = scenario.lifecycle",
        "scenario.callback(\(callback)) { subject.calledBack(app) }",
      ]
    case .inBackground:
      plain + ["scenario.lifecycle.onEvent { subject.lifecycle($0) }"]
    case .secondAnswer: plain + ["scenario.callback(\"asked\") { await subject.asked() }"]
    default: plain
    }
  }

  private var plain: [String] {
    [
      "let subject = StandIn()", "scenario.keep(subject)",
      "scenario.callback(\(callback)) { subject.calledBack() }",
    ]
  }

  private func hop(_ call: String) -> [String] {
    [
      "let subject = StandIn()", "scenario.keep(subject)",
      "let hop = MainHop(subject, \(work), delivery: .always)",
      "scenario.callback(\(callback)) { \(call) }",
    ]
  }

  /// The members of the stand-in.
  var members: [String] {
    switch story {
    case .offMain: ["func calledBack() {", "  uiWork(\(work)) {}", "}"]
    case .offHome:
      home.members + ["", "func calledBack() {", "  \(home.affinity).expect(\(work))", "}"]
    case .trap: ["func calledBack() {", "  requireMainQueue(\(work))", "}"]
    case .crash: crash
    case .secondAnswer: ["func asked() async {}", ""] + crash
    case .inBackground:
      lifecycle + [
        "", "func calledBack() {", "  DispatchQueue.main.async { uiWork(\(work)) {} }", "}",
      ]
    case .drift:
      [
        "@MainQueueBound(\(work), recorded: true) private var value = 0", "",
        "func calledBack() {", "  value += 1", "}",
      ]
    case .late: lifecycle + [""] + show
    case .overtaken, .burst: show
    case .leak:
      [
        "func calledBack(_ app: LifecycleDriver) {",
        "  _ = app.beginBackgroundTask(\(work))", "}",
      ]
    case .deadlock:
      [
        "private let worker = DispatchQueue(label: \"worker\")", "", "func calledBack() {",
        "  worker.async { DispatchQueue.main.sync {} }", "  worker.sync {}", "}",
      ]
    case .ownDeadlock: ["func calledBack() {", "  DispatchQueue.main.sync {}", "}"]
    }
  }

  private var crash: [String] { ["func calledBack() {", "  fatalError(\(work))", "}"] }

  private var lifecycle: [String] { ["func lifecycle(_ event: LifecycleEvent) {}"] }

  private var show: [String] { ["func show() {", "  uiWork(\(work)) {}", "}"] }
}
