import Foundation

/// Two programs that do the same work, alternately.
struct Race {
  private var ours: [Double] = []
  private var peer: [Double] = []

  /// Adds one round's milliseconds.
  mutating func add(_ ours: Double, _ peer: Double) {
    self.ours.append(ours)
    self.peer.append(peer)
  }

  /// Returns the processor time of a program in milliseconds; its output is discarded. Both programs have one thread
  /// and do not wait, so other load matters little.
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

  /// Returns one line in the format of the runner. `aim` is the largest acceptable ratio of ours to the peer's.
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
