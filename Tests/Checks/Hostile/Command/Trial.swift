import Glibc

/// One run of crashscan, watched from outside.
struct Trial {
  /// How a run went.
  struct Outcome {
    /// The signal that ended it; 0 where it exited.
    var signal: Int32 = 0
    var status: Int32 = 0
    /// Whether it was still running when patience ended.
    var isStuck = false
    var processor: Double = 0
    /// The most memory it had at a time, in KiB.
    var peak = 0

    /// Of two runs, the one that says more of the program: one that did not end well, else the faster.
    func faster(_ other: Outcome) -> Outcome {
      let endedWell = !isStuck && signal == 0
      return endedWell && other.processor < processor || other.isStuck || other.signal != 0
        ? other : self
    }
  }

  let program: String
  /// Where its output and its errors go, and what it may use for a while.
  let scratch: String

  /// It is stuck after so many seconds of the processor, or so many in all: a thousand times as long as
  /// a run takes.
  static let patience: (processor: Double, elapsed: UInt32) = (20, 120)
  /// Beyond this it gets no memory, so that the machine lives on.
  private static let mostMemory: UInt = 8 << 30

  var output: String { scratch + "/output" }
  var errors: String { scratch + "/errors" }

  func run(_ arguments: [String]) -> Outcome {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let flags = O_WRONLY | O_CREAT | O_TRUNC
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, flags, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, errors, flags, 0o600)
    let child = start(program, arguments, actions)
    return wait(for: child)
  }

  private func start(
    _ program: String, _ arguments: [String], _ actions: posix_spawn_file_actions_t
  ) -> pid_t {
    let environment = [
      "PATH=/usr/bin:/bin", "TZ=UTC", "SWIFT_BACKTRACE=enable=no", "TMPDIR=\(scratch)",
      "XDG_CACHE_HOME=\(scratch)/cache",
    ]
    let argv = ([program] + arguments).map { strdup($0) } + [nil]
    let envp = environment.map { strdup($0) } + [nil]
    defer { for text in argv + envp { free(text) } }
    var actions = actions
    var child: pid_t = 0
    guard posix_spawnp(&child, program, &actions, nil, argv, envp) == 0 else {
      fail("\(program) does not start")
    }
    return child
  }

  /// Sees to it that neither this program nor what it starts takes the whole machine's memory.
  static func limitMemory() {
    var limits = rlimit(rlim_cur: mostMemory, rlim_max: mostMemory)
    setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limits)
  }

  private func wait(for child: pid_t) -> Outcome {
    var outcome = Outcome()
    var state: Int32 = 0
    var usage = rusage()
    // The signal does nothing but interrupt the waiting.
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in }
    sigaction(SIGALRM, &action, nil)
    alarm(Self.patience.elapsed)
    while wait4(child, &state, 0, &usage) < 0 {
      guard errno == EINTR, !outcome.isStuck else { fail("wait4 fails") }
      outcome.isStuck = true
      kill(child, SIGKILL)
    }
    alarm(0)
    outcome.signal = state & 0x7f
    outcome.status = outcome.signal == 0 ? state >> 8 & 0xff : 0
    outcome.processor = seconds(usage.ru_utime) + seconds(usage.ru_stime)
    outcome.peak = usage.ru_maxrss
    if outcome.processor >= Self.patience.processor { outcome.isStuck = true }
    return outcome
  }

  private func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000
  }
}

/// Ends this program with a word.
func fail(_ words: String) -> Never {
  let line = "hostile: \(words)\n"
  _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
  exit(70)
}
