import DeathRecords
import IncidentModel
import TextOutput

/// Writes a test that repeats the callbacks of a finding, with a stand-in for the called code.
package struct ReproWriter: Sendable {
  private let finding: Finding
  private let number: Int
  private let schedule: ReproSchedule

  package init(_ finding: Finding, number: Int, _ schedule: ReproSchedule) {
    self.finding = finding
    self.number = number
    self.schedule = schedule
  }

  /// Returns the whole file.
  package func write() -> String {
    """
    import AffinityTesting
    import Breadcrumbs
    import CrashTesting
    import Dispatch
    import Testing
    import ThreadAffinity

    \(lines(story, indent: "// "))

    @Test(\(literal("finding \(number): \(finding.rule)")))
    private func theFindingDoesNotComeAgain() async throws {
      let storm = CallbackStorm(
        replaying: \(literal(schedule.text)))
      try await storm.run(forbidding: \(literal(finding.rule)), against: { setUp($0) })
    }

    // MARK: Your own type goes here

    /// Creates the object under test and its callback: replace the stand-in by your own type.
    ///
    /// Each replay runs in a new process that calls this function again, so it cannot capture \
    values. A type that
    /// needs a recorder uses `scenario.recorder`. The replay ends when the queues, tasks and hops \
    that it
    /// started are idle; for work elsewhere, for example on a thread, let the callback wait:
    /// `scenario.callback(…) { await subject.finished() }`.\(state)
    private func setUp(_ scenario: StormScenario) {
    \(lines(standIn.setUp, indent: "  "))
    }

    /// Stands in for the code in the log and has the same bug. Delete it.
    private final class StandIn: \(sendable) {
    \(lines(standIn.members, indent: "  "))
    }

    """
  }

  /// A note about the state, which the log of a crash does not contain.
  private var state: String {
    switch schedule.story {
    case .crash:
      """

      ///
      /// The log does not contain the state that leads to the crash: set it up here, and see the \
      test fail before you
      /// fix the code.
      """
    case .secondAnswer:
      """

      ///
      /// The continuation waits in `asked`, and the callback then comes twice: see the test fail \
      before you
      /// fix the code.
      """
    default: ""
    }
  }

  private var standIn: StandIn {
    StandIn(
      story: schedule.story, callback: literal(schedule.callback),
      work: literal(finding.api ?? finding.culprit?.function ?? "the work"),
      home: home)
  }

  /// The affinity of the work, as source code.
  private var home: StandIn.Home {
    switch finding.home?.kind {
    case .actor:
      StandIn.Home(
        members: ["private actor Home {}", "private let home = Home()"],
        affinity: "Affinity.actor(home)")
    case .queue:
      StandIn.Home(
        members: ["private let home = DispatchQueue(label: \(literal(finding.home?.name ?? "")))"],
        affinity: "Affinity.queue(home)")
    case .main, nil: StandIn.Home()
    }
  }

  private var sendable: String { schedule.story == .drift ? "@unchecked Sendable" : "Sendable" }

  /// The facts from the log, one line each, escaped for comments.
  private var story: [String] {
    var lines = ["\(finding.rule): \(finding.title)"]
    lines += finding.cause.map { step in
      let place = step.place.map { " \($0.function) \($0.shortPosition ?? "")" } ?? ""
      return "  \(step.text)\(place)"
    }
    if !finding.fix.text.isEmpty { lines.append("To fix it: \(finding.fix.text)") }
    return lines.map { line in
      let visible = VisibleText(line).string
      return String(visible.map { $0.isNewline ? " " : $0 })
    }
  }

  private func lines(_ lines: [String], indent: String) -> String {
    lines.map { $0.isEmpty ? "" : indent + $0 }.joined(separator: "\n")
  }

  /// Returns a Swift literal. The text comes from an untrusted log.
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
