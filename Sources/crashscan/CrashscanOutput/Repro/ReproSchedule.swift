import DeathRecords
import IncidentModel
import TextOutput

/// The deliveries that a finding describes, in the syntax of a schedule.
package struct ReproSchedule: Sendable {
  package let text: String
  /// The name of the callback.
  package let callback: String
  package let story: ReproScenario

  /// Creates the schedule; nil if the finding names no callback that a storm could deliver.
  package init?(_ finding: Finding, _ moves: LifecycleMoves) {
    guard let story = ReproScenario(finding), let name = Self.name(in: finding, story) else {
      return nil
    }
    self.story = story
    let callback = VisibleText(name).string.replacing(";", with: ",")
    self.callback = callback
    text = Self.steps(story, callback, at: Self.place(of: finding.queue), moves.words)
      .joined(separator: "; ")
  }

  /// Returns the first schedule among the findings of one defect, with its finding. A crash comes
  /// last, because it names the call but not the state.
  package static func first(
    of findings: [Finding], _ moves: LifecycleMoves
  ) -> (finding: Finding, schedule: ReproSchedule)? {
    let isCrash = { (finding: Finding) in finding.call != nil }
    let inOrder = findings.filter { !isCrash($0) } + findings.filter(isCrash)
    return inOrder.lazy.compactMap { finding in
      ReproSchedule(finding, moves).map { (finding, $0) }
    }.first
  }

  private static func name(in finding: Finding, _ story: ReproScenario) -> String? {
    let names = [
      (finding.call ?? finding.culprit).map { call(leadingTo: $0.function) }, finding.api,
    ]
    .compactMap { $0 }.filter(isCallable)
    // In a deadlock, the test calls the function that makes the main queue wait.
    return story == .deadlock ? names.last : names.first
  }

  /// True unless the name is a script's top-level code or a variable's initializer, which a test
  /// cannot call.
  private static func isCallable(_ name: String) -> Bool {
    !name.isEmpty && name != "top-level code"
      && !name.hasPrefix("variable initialization expression of ")
  }

  /// Returns the callable function that leads to `function`: for a closure or local function, the
  /// enclosing function.
  static func call(leadingTo function: String) -> String {
    var name = function[...]
    while let end = name.firstRange(of: " in "), name[..<end.lowerBound].contains("#") {
      name = name[end.upperBound...]
    }
    return String(name)
  }

  private static func steps(
    _ story: ReproScenario, _ callback: String, at place: String, _ moves: [String]
  ) -> [String] {
    switch story {
    case .offMain, .offHome, .trap, .crash, .inBackground:
      moves + ["\(place): \(callback)"]
    // Without `main busy`, the main queue could finish each call before the next one arrives.
    case .burst: moves + ["\(place), main busy: \(callback)"]
    case .secondAnswer: moves + ["on task: asked", "\(place), twice: \(callback)"]
    case .ownDeadlock, .deadlock: moves + ["on main: \(callback)"]
    case .drift: moves + ["on main: \(callback)", "\(place): \(callback)"]
    // Two calls from one thread; the log does not show whether that was the main thread.
    case .overtaken:
      moves + ["main", "queue"].map { "on \($0), twice, main busy: \(callback)" }
    case .late:
      moves.dropLast(moves.last == "background" ? 1 : 0)
        + ["on queue, main busy: \(callback)", "background, main busy"]
    case .leak:
      moves.filter { $0 != "expiration" } + ["\(place): \(callback)"]
        + (moves.contains("background") ? [] : ["background"]) + ["expiration"]
    }
  }

  private static func place(of queue: String?) -> String {
    switch queue {
    case nil: "on thread"
    case "com.apple.main-thread": "on main"
    case "Swift global concurrent queue": "on task"
    case let label? where label.hasPrefix("com.apple.root."): "on global"
    case _?: "on queue"
    }
  }
}
