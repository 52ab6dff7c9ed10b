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
  /// The smaller of both sizes, in KiB.
  let smallest: Int

  private var largest: Int { 4 * smallest }
  /// Four times as much may cost eight times as much; what takes less time than this cannot be told.
  private static let mostGrowth = 8.0
  private var leastTime: Double { Double(smallest) / 1024 }
  private static let measurements = 5

  /// True if nothing was found.
  func run() -> Bool {
    var failures: [String] = []
    let sizes = "\(smallest) KiB".padded(to: 10) + "\(largest) KiB".padded(to: 10)
    print("attack           slowest form     \(sizes)most memory")
    for input in inputs {
      let seen = measure(input)
      guard let slowest = seen.max(by: { $0.large.processor < $1.large.processor }),
        let hungriest = seen.max(by: { $0.large.peak < $1.large.peak })
      else { continue }
      let name = input.name.padded(to: 15), form = slowest.form.name.padded(to: 15)
      print(
        "\(name)  \(form)  "
          + [slowest.small, slowest.large].map {
            "\(rounded($0.processor)) s".padded(to: 10)
          }.joined() + "\(hungriest.large.peak >> 10) MB, \(hungriest.form.name)")
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
  }

  private func growsFast(_ pair: Pair) -> Bool {
    pair.large.processor > leastTime && pair.growth > Self.mostGrowth
  }

  private func measure(_ input: Input) -> [Pair] {
    let trial = Trial(program: crashscan, scratch: scratch)
    let paths = [smallest, largest].map { size in
      let path = "\(scratch)/\(input.name)-\(size).log"
      Files.write(input.bytes(size << 10), to: path)
      return path
    }
    defer { for path in paths { unlink(path) } }
    return input.forms.map { form in
      let run = { (path: String) in trial.run(form.arguments([path])) }
      var pair = Pair(form: form, small: run(paths[0]), large: run(paths[1]))
      // What others do on the machine makes a run slower, never faster: of several, the fastest is the
      // one to compare. What really grows does so in each of them.
      for _ in 1..<Self.measurements where growsFast(pair) {
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
    if growsFast(pair) { return "four times as much took \(rounded(pair.growth)) times as long" }
    let most = Worker.leastMemory + Worker.memoryPerByte * largest
    return large.peak > most ? "memory of \(large.peak >> 10) MB" : nil
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
