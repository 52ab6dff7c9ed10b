import Foundation

/// Two programs at the same work, in turn.
struct Race {
  private var ours: [Double] = []
  private var peer: [Double] = []

  /// Adds one round's milliseconds.
  mutating func add(_ ours: Double, _ peer: Double) {
    self.ours.append(ours)
    self.peer.append(peer)
  }

  /// Milliseconds of processor time that a program takes, its output thrown away. Both programs have
  /// one thread and wait for nothing; what else the machine does then matters little.
  static func milliseconds(_ program: String, _ arguments: [String], input: String) throws -> Double
  {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    let words = ([program] + arguments).map { strdup($0) }
    defer { words.forEach { free($0) } }
    var child = pid_t()
    guard posix_spawn(&child, program, &actions, nil, words + [nil], environ) == 0 else {
      throw Workshop.Failure(command: program, output: "cannot be started")
    }
    var status: CInt = 0
    var usage = rusage()
    while wait4(child, &status, 0, &usage) < 0, errno == EINTR {}
    guard status == 0 else {
      throw Workshop.Failure(command: program, output: "status \(status)")
    }
    let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
    let microseconds = usage.ru_utime.tv_usec + usage.ru_stime.tv_usec
    return Double(seconds) * 1e3 + Double(microseconds) / 1e3
  }

  /// One line of the benchmarks' common format: the figures of each round, whose ratios are taken
  /// apart from each other. `aim` is the largest ratio of ours to the peer's that is good enough.
  func line(name: String, aim: Double?) throws -> String {
    var fields: [String: Any] = [
      "name": name, "unit": "ms of CPU", "ours": ours.map(rounded), "peer": peer.map(rounded),
      "peerName": "llvm-symbolizer",
    ]
    if let aim { fields["aim"] = rounded(aim) }
    let data = try JSONSerialization.data(withJSONObject: fields, options: [.sortedKeys])
    return String(decoding: data, as: UTF8.self)
  }

  private func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
}
