import Glibc
import HostileLogs

/// Puts logs and consoles that were made up to cost the most through every form of output, in several sizes:
/// what grows faster than its input would be a hang in one large enough.
struct Scaling {
  /// What is made up, and what crashscan is to make of it.
  struct Input: Sendable {
    let name: String
    let forms: [Form]
    let bytes: @Sendable (Int) -> [UInt8]

    init(_ attack: Attack) {
      self.init(name: attack.rawValue, forms: Form.ofPlainLog) { attack.log(size: $0) }
    }

    init(_ attack: ReportAttack) {
      self.init(name: attack.rawValue, forms: Form.ofReports) { attack.text(size: $0) }
    }

    private init(name: String, forms: [Form], bytes: @escaping @Sendable (Int) -> [UInt8]) {
      self.name = name
      self.forms = forms
      self.bytes = bytes
    }

    static let all = Attack.allCases.map { Input($0) } + ReportAttack.allCases.map { Input($0) }
  }

  let crashscan: String
  let scratch: String
  let inputs: [Input]

  private static let smallest = 1 << 20
  private static let largest = 4 << 20
  /// Four times as much may cost eight times as much; what takes less time than this cannot be told.
  private static let mostGrowth = 8.0
  private static let leastTime = 1.0

  /// True if nothing was found.
  func run() -> Bool {
    var failures = 0
    print("attack           slowest form     1 MiB    4 MiB   most memory, of 4 MiB")
    for input in inputs {
      let seen = measure(input)
      guard let slowest = seen.max(by: { $0.large.processor < $1.large.processor }),
        let hungriest = seen.max(by: { $0.large.peak < $1.large.peak })
      else { continue }
      let name = input.name.padded(to: 15), form = slowest.form.name.padded(to: 15)
      print(
        "\(name)  \(form)  \(rounded(slowest.small.processor)) s   \(rounded(slowest.large.processor)) s   "
          + "\(hungriest.large.peak >> 10) MB, \(hungriest.form.name)")
      fflush(nil)
      for trial in seen {
        guard let failure = failure(trial.small, trial.large) else { continue }
        failures += 1
        print("  FAILED: \(input.name), \(trial.form.name): \(failure)")
      }
    }
    print(failures == 0 ? "nothing grows faster than its input" : "\(failures) failures")
    return failures == 0
  }

  private func measure(
    _ input: Input
  ) -> [(form: Form, small: Trial.Outcome, large: Trial.Outcome)] {
    let trial = Trial(program: crashscan, scratch: scratch)
    let paths = [Self.smallest, Self.largest].map { size in
      let path = "\(scratch)/\(input.name)-\(size >> 20).log"
      Files.write(input.bytes(size), to: path)
      return path
    }
    defer { for path in paths { unlink(path) } }
    return input.forms.map { form in
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
      return "four times as much took \(rounded(large.processor / small.processor)) times as long"
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
