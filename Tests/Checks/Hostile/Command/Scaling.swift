import Glibc
import HostileLogs

/// Puts logs that were made up to cost the most through every form of output, in several sizes: what
/// grows faster than its log would be a hang in a log large enough.
struct Scaling {
  let crashscan: String
  let scratch: String
  let attacks: [Attack]

  private static let smallest = 1 << 20
  private static let largest = 4 << 20
  /// Four times the log may cost eight times as much; what takes less time than this cannot be told.
  private static let mostGrowth = 8.0
  private static let leastTime = 1.0

  /// True if nothing was found.
  func run() -> Bool {
    var failures = 0
    print("attack           slowest form     1 MiB    4 MiB   most memory, of a log of 4 MiB")
    for attack in attacks {
      let seen = measure(attack)
      guard let slowest = seen.max(by: { $0.large.processor < $1.large.processor }),
        let hungriest = seen.max(by: { $0.large.peak < $1.large.peak })
      else { continue }
      let name = attack.rawValue.padded(to: 15), form = slowest.form.name.padded(to: 15)
      print(
        "\(name)  \(form)  \(rounded(slowest.small.processor)) s   \(rounded(slowest.large.processor)) s   "
          + "\(hungriest.large.peak >> 10) MB, \(hungriest.form.name)")
      fflush(nil)
      for trial in seen {
        guard let failure = failure(trial.small, trial.large) else { continue }
        failures += 1
        print("  FAILED: \(attack.rawValue), \(trial.form.name): \(failure)")
      }
    }
    print(failures == 0 ? "nothing grows faster than its log" : "\(failures) failures")
    return failures == 0
  }

  private func measure(
    _ attack: Attack
  ) -> [(form: Form, small: Trial.Outcome, large: Trial.Outcome)] {
    let trial = Trial(program: crashscan, scratch: scratch)
    let paths = [Self.smallest, Self.largest].map { size in
      let path = "\(scratch)/\(attack.rawValue)-\(size >> 20).log"
      Files.write(attack.log(size: size), to: path)
      return path
    }
    defer { for path in paths { unlink(path) } }
    return Form.ofPlainLog.map { form in
      (form, trial.run(form.arguments([paths[0]])), trial.run(form.arguments([paths[1]])))
    }
  }

  private func failure(_ small: Trial.Outcome, _ large: Trial.Outcome) -> String? {
    for outcome in [small, large] {
      if outcome.isStuck { return "hang" }
      if outcome.signal != 0 { return "crash by signal \(outcome.signal)" }
      if ![0, 1, 2, 3, 64].contains(outcome.status) { return "status \(outcome.status)" }
    }
    if large.processor > Self.leastTime, large.processor > Self.mostGrowth * small.processor {
      return "four times the log took \(rounded(large.processor / small.processor)) times as long"
    }
    let most = Worker.leastMemory + Worker.memoryPerByte * Self.largest / 1024
    return large.peak > most ? "memory of \(large.peak >> 10) MB" : nil
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
