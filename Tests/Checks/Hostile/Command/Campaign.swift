import Glibc

/// A run of many inputs in several processes, and what is said of it.
struct Campaign {
  let crashscan: String
  let scratch: String
  let logs: [String]
  private let jobs = max(1, min(8, sysconf(Int32(_SC_NPROCESSORS_ONLN))))

  private var found: String { scratch + "/found" }

  /// True if nothing was found.
  func run(_ numbers: Range<Int>) -> Bool {
    mkdir(found, 0o700)
    let parts = makeParts()
    let start = now()
    let setting = Worker.Setting(
      crashscan: crashscan, scratch: scratch, logs: logs, parts: parts)
    let inputs = "\(numbers.lowerBound)-\(numbers.upperBound)"
    let children = (0..<jobs).map { job in
      spawn(["worker", "\(job)", "\(jobs)", inputs] + setting.arguments, job)
    }
    var tally = Tally()
    for (job, child) in children.enumerated() {
      var state: Int32 = 0
      while waitpid(child, &state, 0) < 0 && errno == EINTR {}
      if state != 0 { tally.failures.append("the harness itself crashed, job \(job)") }
      let text = String(decoding: Files.read(results(job)), as: UTF8.self)
      for line in text.split(separator: "\n") { tally.add(line: line) }
    }
    say(tally, seconds: now() - start)
    return tally.failures.isEmpty
  }

  /// The summaries of the logs as they are.
  private func makeParts() -> [String] {
    logs.indices.map { index in
      let trial = Trial(program: crashscan, scratch: scratch)
      guard trial.run(["summarize", logs[index]]).status == 0 else {
        fail("\(logs[index]) cannot be summarized")
      }
      let part = "\(scratch)/part-\(index).json"
      rename(trial.output, part)
      return part
    }
  }

  private func results(_ job: Int) -> String { "\(scratch)/results-\(job)" }

  private func spawn(_ arguments: [String], _ job: Int) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(
      &actions, 1, results(job), O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    let argv = (["hostile"] + arguments).map { strdup($0) } + [nil]
    defer { for text in argv { free(text) } }
    var child: pid_t = 0
    guard posix_spawn(&child, "/proc/self/exe", &actions, nil, argv, environ) == 0 else {
      fail("no worker starts")
    }
    return child
  }

  private func say(_ tally: Tally, seconds: Double) {
    let count = { tally.counts[$0] ?? 0 }
    print(
      """
      \(count("logs")) logs and \(count("summaries")) summaries, mutated, in \(Int(seconds)) s:
        \(count("outputs")) outputs of them, every form of each
        \(count("runs")) runs of crashscan: every form of \(count("logs by command")) logs and \
      \(count("summaries by command")) summaries, \(count("packed logs")) packed logs
      """)
    for (what, count) in tally.counts.sorted(by: { $0.key < $1.key })
    where what.hasPrefix("exits") || what.hasPrefix("signal") {
      print("  \(what): \(count)")
    }
    let units = ["memory": "MB", "processor time": "s", "output by byte": "bytes"]
    for (what, most) in tally.most.sorted(by: { $0.key < $1.key }) {
      print("  most \(what): \(rounded(most.value)) \(units[what] ?? ""), \(most.words)")
    }
    for failure in tally.failures.sorted().prefix(100) { print("  FAILED: \(failure)") }
    print(
      tally.failures.isEmpty
        ? "no crash, no hang, memory within bounds"
        : "\(tally.failures.count) failures; their inputs are in \(found)")
  }
}

/// Three digits of a number.
func rounded(_ value: Double) -> String {
  value >= 100 ? "\(Int(value.rounded()))" : "\((value * 100).rounded() / 100)"
}

/// Seconds of a clock that only rises.
func now() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
}
