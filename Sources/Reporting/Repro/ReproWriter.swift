import IncidentModel

/// Writes a test that delivers a finding's callbacks again, to a stand-in for the code they reached.
package struct ReproWriter: Sendable {
  private let finding: Finding
  private let number: Int
  private let schedule: ReproSchedule
  /// Whether the deliveries end the process, and so are to be made in children of the test's.
  private let isFatal: Bool

  /// - Parameter isFatal: Whether the recorded process died of what the finding tells.
  package init(_ finding: Finding, number: Int, _ schedule: ReproSchedule, isFatal: Bool) {
    self.finding = finding
    self.number = number
    self.schedule = schedule
    self.isFatal = isFatal || finding.rule == "isolation-trap"
  }

  /// The whole file.
  package func write() -> String {
    """
    import AffinityTesting
    import Breadcrumbs
    import Synchronization
    import Testing
    import ThreadAffinity

    \(story.map { "// \($0)" }.joined(separator: "\n"))

    /// Stands in for the code that was called back: put your own type in its place.
    private final class StandIn: Sendable {
    \(standIn.map { $0.isEmpty ? "" : "  \($0)" }.joined(separator: "\n"))
    }

    @Test(\(literal("finding \(number): \(finding.rule)")))
    func replaysTheFinding() async throws {
      let storm = CallbackStorm(
        replaying: \(literal(schedule.text)))
      try await storm.run(\(isFatal ? "inChildren: true, " : "")against: { shim in
        let subject = StandIn()
        shim.lifecycle.onEvent { subject.lifecycle($0) }
        shim.callback(\(literal(schedule.callback))) { number in
          subject.calledBack(number)
        }
        shim.check(\(literal(promise))) { subject.isRight }
      })
    }

    """
  }

  /// What the log tells, a line each, fit for comments.
  private var story: [String] {
    var lines = ["\(finding.rule): \(finding.title)"]
    lines += finding.cause.map { step in
      let place = step.place.map { " \($0.function) \($0.shortPosition ?? "")" } ?? ""
      return "  \(step.text)\(place)"
    }
    return lines.map { line in
      let visible = VisibleText(line).string
      return String(visible.map { $0.isNewline ? " " : $0 })
    }
  }

  private var work: String { literal(finding.api ?? finding.culprit?.function ?? "the work") }

  private var promise: String {
    switch finding.rule {
    case "ui-after-background": "no UI work in the background"
    case "hop-overtaken": "callbacks arrive in their order"
    default: "what was called back is right"
    }
  }

  private var standIn: [String] {
    switch finding.rule {
    case "ui-after-background": Self.backgroundStandIn
    case "hop-overtaken": Self.overtakenStandIn
    default:
      [
        "var isRight: Bool { true }", "", "func lifecycle(_ event: LifecycleEvent) {}", "",
        "func calledBack(_ number: Int) {",
        "  \(isFatal ? "requireMainQueue" : "expectMainQueue")(\(work))", "}",
      ]
    }
  }

  private static let backgroundStandIn = """
    private let isInBackground = Mutex(false)
    private let hasWorkedThere = Mutex(false)

    var isRight: Bool { !hasWorkedThere.withLock { $0 } }

    func lifecycle(_ event: LifecycleEvent) {
      if event == .didEnterBackground { isInBackground.withLock { $0 = true } }
      if event == .willEnterForeground { isInBackground.withLock { $0 = false } }
    }

    func calledBack(_ number: Int) {
      if isInBackground.withLock({ $0 }) { hasWorkedThere.withLock { $0 = true } }
    }
    """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)

  private static let overtakenStandIn = """
    private let arrived = Mutex<[Int]>([])

    var isRight: Bool {
      let numbers = arrived.withLock { $0 }
      return numbers == numbers.sorted()
    }

    func lifecycle(_ event: LifecycleEvent) {}

    func calledBack(_ number: Int) {
      if MainQueue.isCurrent {
        arrived.withLock { $0.append(number) }
      } else {
        MainHop(self, delivery: .always).send { $0.arrived.withLock { $0.append(number) } }
      }
    }
    """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)

  /// A text as a literal of Swift's, whatever it holds: it comes from a log that may be anybody's.
  private func literal(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": literal += "\\\(scalar)"
      case _ where scalar.properties.isWhitespace && scalar != " ": literal += " "
      case _ where scalar.value < 0x20 || scalar.value == 0x7f:
        literal += "\\u{\(String(scalar.value, radix: 16))}"
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "\""
  }
}
