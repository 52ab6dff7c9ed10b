import IncidentModel
import CLogFormat

/// A failed check of a queue, thread, isolation or event loop that ended the process.
struct FailedCheck {
  /// The expected queue, actor or thread.
  let home: Home

  /// Reads the expectation of the check from the crash.
  ///
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

  /// True if the source line of the check names the main queue.
  private static func namesMain(_ crash: CrashReading) -> Bool {
    guard let touched = crash.reading.touched else { return false }
    return SourceLine.added(to: touched.place).source?.contains("onQueue(.main)") ?? false
  }

  /// The expected place, for use within a sentence.
  var expectation: String { home == .queue("") ? "another queue" : home.words }

  /// The name of the check in a headline.
  var name: String {
    switch home {
    case .queue(""): "a check of a queue"
    case .executor: "a check of an actor's isolation"
    default: "a check of \(home.words)"
    }
  }
}

/// The last violation that each thread recorded. A failed check may record a violation before it
/// ends the process.
struct LastViolations {
  struct Violation {
    var expected: Home?
    var message: String
    var when: UInt64
    var site: CodePlace?
    /// The function that made the check.
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

  /// Returns the violation of the failed check in which the process died, not one that its thread
  /// recorded earlier.
  func said(by crash: CrashReading) -> Violation? {
    guard let thread = crash.crash.thread?.ordinal, let said = byThread[thread] else { return nil }
    // Compare the messages first: on a busy machine, a long time may pass between the record and
    // the crash.
    if !said.message.isEmpty, crash.crash.text.contains(said.message) { return said }
    guard crash.crash.monotonic &- said.when < 1_000_000_000 else { return nil }
    let links = crash.reading.links.map(\.frame)
    guard links.contains(where: \.isNamed) else {
      return said.expected == .mainActor || links.isEmpty ? said : nil
    }
    return links.contains { $0.place.function == said.function } ? said : nil
  }
}
