/// A console made up to cost the most for its size: one line again and again that begins a report, or goes on
/// with one, and never comes to what would make it one. A reader that looks far ahead does so for each.
package enum ReportAttack: String, CaseIterable, Sendable {
  case samples, sampledThreads = "sampled-threads", spindumps
  case androidThreads = "android-threads", playThreads = "play-threads"
  case debuggerFrames = "debugger-frames", debuggerThreads = "debugger-threads", signals
  case checked, exceptions, assertions, thrown, managed
  case crashes, races, sanitized, leaks, coredumps
  case crashedThreads = "crashed-threads", crashlytics, documents
  /// Lines of all of these, in turn.
  case all = "all-reports"

  /// The console, of about so many bytes.
  package func text(size: Int) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(size + 200)
    var count = 0
    while text.count < size {
      let line = self == .all ? Self.each[count % Self.each.count] : self
      text += line.line(count).utf8
      count += 1
    }
    return text
  }

  private static let each = allCases.filter { $0 != .all }

  /// No two lines are alike, for what was seen before might be known again.
  private func line(_ n: Int) -> String {
    switch self {
    case .samples: "Call graph: \(n)\n"
    case .sampledThreads: "2410 Thread_\(n)   DispatchQueue_1: com.apple.main-thread  (serial)\n"
    case .spindumps:
      "Thread 0x\(n) DispatchQueue \"com.apple.main-thread\"(1)    1001 samples (1-1001)\n"
    case .androidThreads: "\"main\" prio=5 tid=\(n) Blocked\n"
    case .playThreads: "\"pool-\(n)\" tid=\(n) Waiting \n"
    case .debuggerFrames: "#0 \(n)\n"
    case .debuggerThreads: "* thread #\(n), queue = 'q', stop reason = signal SIGABRT\n"
    case .signals: "Thread \(n) \"loomd\" received signal SIGILL, Illegal instruction.\n"
    case .checked:
      "Main Thread Checker: UI API called on a background thread: -[UIView layout\(n)]\n"
    case .exceptions: "*** Terminating app due to uncaught exception 'A\(n)', reason: 'none\n"
    case .assertions: "*** Assertion failure in -[Board show\(n):], Board.m:87\n"
    case .thrown: "a.b.CalledFromWrongThreadException: \(n)\n"
    case .managed: "A.BException: it differs from the thread it was created on \(n)\n"
    case .crashes: "Program crashed: Aborted at 0x\(n)\n"
    case .races: "WARNING: ThreadSanitizer: data race (pid=\(n))\n"
    case .sanitized: "==\(n)==ERROR: AddressSanitizer: attempting double-free\n"
    case .leaks: "Process \(n): 21 leaks for \(n) total leaked bytes.\n"
    case .coredumps: "Process \(n) (loomd) of user 0 dumped core.\n"
    case .crashedThreads: "Thread \(n) Crashed:\n"
    case .crashlytics: "Fatal Exception: A\(n)\n0  A  0x1000\(n % 10) b + 1\n"
    case .documents: "{\"threads\": [{\"\(n)\": \n"
    case .all: ""
    }
  }
}
