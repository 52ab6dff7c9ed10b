import IncidentModel
import LogWords

/// A check of a queue, an isolation or an event loop that failed and ended the process.
struct FailedCheck {
  let kind: Death.Kind
  /// What was expected, as sentences have it: `the main queue`; nil where the record does not say.
  let expected: String?

  /// - Parameter said: what the crashed thread's own violation just before says was expected.
  init(_ crash: CrashReading, said: String?) {
    let names = crash.frames.prefix { $0.role != .code }.map(\.place.function)
    let isOfMainActor = names.contains { $0.contains("MainActor") }
    if names.contains(where: { $0.contains("InEventLoop") }) {
      (kind, expected) = (.eventLoopCheck, "its event loop")
    } else if let said = said ?? crash.expected {
      let isQueue = said == "main queue" && !isOfMainActor || said.hasPrefix("queue")
      kind = isQueue || said.hasPrefix("thread") ? .queueCheck : .isolationCheck
      expected = said.hasPrefix("main") ? "the \(isOfMainActor ? "main actor" : said)" : said
    } else if isOfMainActor {
      (kind, expected) = (.isolationCheck, "the main actor")
    } else if names.contains(where: Self.isOfQueue) {
      (kind, expected) = (.queueCheck, Self.namesMain(crash) ? "the main queue" : nil)
    } else {
      (kind, expected) = (.isolationCheck, nil)
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

  /// Whether main-queue work is what it is about.
  var isOfMain: Bool { expected?.hasPrefix("the main ") ?? false }

  /// What was expected, in a sentence.
  var expectation: String {
    expected ?? (kind == .queueCheck ? "another queue" : "another executor")
  }

  /// The check, as a headline names it.
  var name: String {
    if let expected { return "a check of \(expected)" }
    return kind == .queueCheck ? "a check of a queue" : "a check of an actor's isolation"
  }

  /// What to change, where the main queue is not what is meant.
  var fix: Finding.Fix {
    switch kind {
    case .eventLoopCheck:
      Finding.Fix("Send the work to its event loop with eventLoop.execute, and keep the check.")
    case .queueCheck:
      Finding.Fix(
        "Send the work to \(expected ?? "the queue that the check names"), and keep the check.")
    default:
      Finding.Fix("Call it from the actor's own methods, or with await, and keep the check.")
    }
  }
}

/// The violation that each thread recorded last: a check that fails may say so before it ends the process.
struct LastViolations {
  struct Said {
    /// What was expected, as a violation has it: `main queue`.
    var expected: String
    var message: String
    var when: UInt64
    var site: CodePlace?
    /// The function that checked.
    var function: String
  }

  private var byThread: [Int: Said] = [:]
  private let most = 4096

  mutating func observe(_ event: Event, in scene: Scene) {
    guard event.kind == .violation, let expected = event.text(LogKey.expected) else { return }
    if byThread.count >= most { byThread.removeAll() }
    byThread[event.thread] = Said(
      expected: expected, message: event.message, when: event.monotonic,
      site: MisplacedWork.site(of: event),
      function: scene.reading(of: event).touched?.place.function ?? "")
  }

  /// The violation that is the very check that a process died in, not one that its thread met before.
  func said(by crash: CrashReading) -> Said? {
    guard let thread = crash.crash.thread?.ordinal, let said = byThread[thread],
      crash.crash.monotonic &- said.when < 1_000_000_000
    else { return nil }
    if !said.message.isEmpty, crash.crash.text.contains(said.message) { return said }
    let links = crash.reading.links.map(\.frame)
    guard links.contains(where: \.isNamed) else {
      return said.expected == "main actor" || links.isEmpty ? said : nil
    }
    return links.contains { $0.place.function == said.function } ? said : nil
  }
}
