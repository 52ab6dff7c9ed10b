import IncidentModel
import CLogFormat

/// A check of a queue, a thread, an isolation or an event loop that failed and ended the process.
struct FailedCheck {
  /// The expected queue, actor or thread.
  let home: Home

  /// - Parameter said: The affinity in the violation that the crashed thread recorded just before.
  init(_ crash: CrashReading, said: Home?) {
    let names = crash.frames.prefix { $0.role != .code }.map(\.place.function)
    let isOfMainActor = names.contains { $0.contains("MainActor") }
    home =
      if names.contains(where: { $0.contains("InEventLoop") }) {
        .eventLoop("")
      } else if let expected = said ?? crash.expected {
        expected == .main && isOfMainActor ? .mainActor : expected
      } else if isOfMainActor {
        .mainActor
      } else if names.contains(where: Self.isOfQueue) {
        Self.namesMain(crash) ? .main : .queue("")
      } else {
        .executor
      }
  }

  private static func isOfQueue(_ function: String) -> Bool {
    function.hasPrefix("_dispatchPreconditionTest") || function.contains("dispatch_assert_queue")
  }

  /// Whether the line of source that checks names the main queue.
  private static func namesMain(_ crash: CrashReading) -> Bool {
    guard let touched = crash.reading.touched else { return false }
    return SourceLine.added(to: touched.place).source?.contains("onQueue(.main)") ?? false
  }

  /// The expected place, inside a sentence.
  var expectation: String { home == .queue("") ? "another queue" : home.words }

  /// The check, as a headline names it.
  var name: String {
    switch home {
    case .queue(""): "a check of a queue"
    case .executor: "a check of an actor's isolation"
    default: "a check of \(home.words)"
    }
  }
}

/// The violation that each thread recorded last: a check that fails may say so before it ends the process.
struct LastViolations {
  struct Violation {
    var expected: Home?
    var message: String
    var when: UInt64
    var site: CodePlace?
    /// The function that checked.
    var function: String
  }

  private var byThread: [Int: Violation] = [:]
  private let most = 4096

  mutating func observe(_ event: Event, in run: RunState) {
    guard event.kind == .violation, let expected = event.text(MS_KEY_EXPECTED) else { return }
    if byThread.count >= most { byThread.removeAll() }
    byThread[event.thread] = Violation(
      expected: Home(expected: expected), message: event.message, when: event.monotonic,
      site: MisplacedWork.site(of: event),
      function: run.reading(of: event).touched?.place.function ?? "")
  }

  /// The violation that is the very check that a process died in, not one that its thread met before.
  func said(by crash: CrashReading) -> Violation? {
    guard let thread = crash.crash.thread?.ordinal, let said = byThread[thread] else { return nil }
    // The crash's own words repeat it: a busy machine may take long from the one to the other.
    if !said.message.isEmpty, crash.crash.text.contains(said.message) { return said }
    guard crash.crash.monotonic &- said.when < 1_000_000_000 else { return nil }
    let links = crash.reading.links.map(\.frame)
    guard links.contains(where: \.isNamed) else {
      return said.expected == .mainActor || links.isEmpty ? said : nil
    }
    return links.contains { $0.place.function == said.function } ? said : nil
  }
}
