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
  private static let measurements = 5

  /// True if nothing was found.
  func run() -> Bool {
    var failures: [String] = []
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
      failures += seen.compactMap { pair in
        failure(pair).map { "FAILED: \(input.name), \(pair.form.name): \($0)" }
      }
    }
    // Last, where who reads only the end of it sees them.
    for failure in failures { print(failure) }
    print(failures.isEmpty ? "nothing grows faster than its input" : "\(failures.count) failures")
    return failures.isEmpty
  }

  /// How one form of output went, of an input in two sizes.
  private struct Pair {
    let form: Form
    var small: Trial.Outcome
    var large: Trial.Outcome

    var growth: Double { large.processor / small.processor }
    var growsFast: Bool { large.processor > Scaling.leastTime && growth > Scaling.mostGrowth }
  }

  private func measure(_ input: Input) -> [Pair] {
    let trial = Trial(program: crashscan, scratch: scratch)
    let paths = [Self.smallest, Self.largest].map { size in
      let path = "\(scratch)/\(input.name)-\(size >> 20).log"
      Files.write(input.bytes(size), to: path)
      return path
    }
    defer { for path in paths { unlink(path) } }
    return input.forms.map { form in
      let run = { (path: String) in trial.run(form.arguments([path])) }
      var pair = Pair(form: form, small: run(paths[0]), large: run(paths[1]))
      // What others do on the machine makes a run slower, never faster: of several, the fastest is the
      // one to compare. What really grows does so in each of them.
      for _ in 1..<Self.measurements where pair.growsFast {
        pair.small = pair.small.faster(run(paths[0]))
        pair.large = pair.large.faster(run(paths[1]))
      }
      return pair
    }
  }

  private func failure(_ pair: Pair) -> String? {
    let large = pair.large
    for outcome in [pair.small, large] {
      if outcome.isStuck { return "hang" }
      if outcome.signal != 0 { return "crash by signal \(outcome.signal)" }
      if ![0, 1, 2, 3, 64].contains(outcome.status) { return "status \(outcome.status)" }
    }
    if pair.growsFast { return "four times as much took \(rounded(pair.growth)) times as long" }
    let most = Worker.leastMemory + Worker.memoryPerByte * Self.largest / 1024
    return large.peak > most ? "memory of \(large.peak >> 10) MB" : nil
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
