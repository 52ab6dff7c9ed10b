import IncidentModel
import CLogFormat

/// Finds calls that blocked a thread on which other work depends.
final class BlockingCall: Rule {
  static let about = RuleDescription(
    id: "blocking-call", severity: .warning,
    title: "A call blocked a thread that others need",
    firesWhen: """
      A call waited longer than allowed, 5 ms by default, on a thread of Swift's pool, of an event \
      loop, or on the main queue. The program links `BlockingCalls` and calls `report`, or runs \
      under `crashscan run`. The name of a thread identifies an event loop, and the finding says \
      that this is a guess. A call of a second or longer is recorded while it lasts; without a \
      recorded return it is an error.
      """,
    cause: """
      The pool has one thread per processor, and an event loop has one thread for all of its \
      connections. While a thread sleeps, or waits for a lock, a file or an answer, all other work \
      of the thread waits too.
      """,
    evidence: "The call, its duration and count, and the stack of the caller.",
    fix: """
      Wait without blocking a thread: `await Task.sleep`, an async API. Move blocking code to \
      another thread: `NIOThreadPool`, a queue, an executor.
      """,
    triggers: """
      Task { usleep(200_000) }
      """,
    spares: """
      Task { try await Task.sleep(for: .milliseconds(200)) }
      """)

  let interest = Interest(.error)

  /// A call that had not returned when it was recorded.
  private struct Open {
    let place: Int
    let took: UInt64
    let finding: Finding
    let input: Int
  }

  private var open: [Open] = []
  /// The maximum number of open calls, which bounds the memory for malformed logs; a process has
  /// fewer watched threads.
  private static let mostOpen = 64

  func observe(_ event: Event, in run: RunState) {
    guard event.category == MS_WORD_BLOCKING,
      let took = event.integer(MS_KEY_NANOSECONDS).map({ UInt64(clamping: $0) })
    else { return }
    let place = event.addresses.contentHash
    if let thread = event.integer(MS_KEY_THREAD) {
      guard open.count < Self.mostOpen else { return }
      var finding = finding(event, took, run, goesOn: true)
      finding.lastsToEnd = true
      finding.thread = Finding.ThreadName(
        id: Int(clamping: thread), index: event.thread, name: event.text(MS_KEY_THREAD_NAME) ?? "")
      finding.nearby = run.nearby(event)
      finding.wall = event.wall
      open.append(
        Open(place: place, took: took, finding: finding, input: run.place(of: event)))
      return
    }
    // The thread recorded another call, so its earlier call has returned.
    let thread = run.threadName(event.thread).id
    open.removeAll { $0.finding.thread?.id == thread }
    run.report(FindingKey(Self.about.id, place), at: event) {
      finding(event, took, run, goesOn: false)
    }
  }

  func finish(in run: EndedRun) {
    for call in open {
      run.report(FindingKey(Self.about.id, call.place, 1), at: call.input) { call.finding }
    }
    open = []
  }

  private func finding(
    _ event: Event, _ took: UInt64, _ run: RunState, goesOn: Bool
  ) -> Finding {
    let reading = run.reading(of: event)
    let executor = event.text(MS_KEY_EXECUTOR) ?? ""
    let call = event.message
    let time = TimeSpan.text(nanoseconds: took)
    let culprit = reading.touched?.place
    let who = culprit.map(DisplayText.name) ?? reading.nearestLibrary?.place.module ?? "code"
    var finding = Finding(
      rule: Self.about.id, severity: goesOn ? .error : Self.about.severity,
      title: "\(DisplayText.capitalized(who)) blocked \(Self.words(executor)) for "
        + (goesOn ? "more than \(time), until the end" : time),
      culprit: culprit, api: call, fix: Finding.Fix(Self.fix(call)),
      identity: goesOn ? "\(call) goes on" : call,
      defect: "blocking \(culprit.map { "\($0.module) \($0.function)" } ?? call)")
    finding.evidence =
      [Finding.Evidence("the thread waited in \(call)")] + (reading.absence.map { [$0] } ?? [])
    finding.cause = reading.awaiting.prefix(3).map { link in
      Finding.Step("awaits", thread: "", queue: nil, place: link.frame.place)
    }
    return finding
  }

  private static func words(_ executor: String) -> String {
    switch WatchedKind(executor) {
    case .pool: "a thread of Swift's pool"
    case .loop: "an event loop (identified by the thread's name)"
    default: "the \(executor)"
    }
  }

  private static func fix(_ call: String) -> String {
    switch call {
    case "nanosleep", "clock_nanosleep", "sleep", "usleep":
      "Wait with `try await Task.sleep(for:)`."
    case "getaddrinfo", "connect", "poll", "ppoll", "select", "epoll_wait", "epoll_pwait", "recv",
      "send",
      "accept":
      "Use an async client, such as SwiftNIO or URLSession, instead of the blocking call."
    case "pthread_cond_wait", "pthread_cond_timedwait", "pthread_cond_clockwait", "sem_wait",
      "sem_timedwait", "sem_clockwait", "futex", "pthread_join":
      "Await the result: use a continuation or an async sequence instead of the semaphore, group or `sync`."
    case let lock where lock.contains("lock"):
      "Hold the lock for a shorter time, or move the guarded state into an actor."
    default:
      "Make the call on another thread, for example with `NIOThreadPool`, and await the result."
    }
  }
}
