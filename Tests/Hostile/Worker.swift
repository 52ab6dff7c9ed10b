import Glibc
import HostileLogs

/// Puts its share of the inputs through every form of output.
struct Worker {
  private let inputs: Inputs
  private let trial: Trial
  private let found: String
  private(set) var tally = Tally()

  /// Beside what crashscan needs for a log of nothing, so many bytes for each of its input.
  static let memoryPerByte = 128
  /// What it needs for a log of nothing, in KiB: itself, its libraries, the names of the program.
  static let leastMemory = 64 << 10

  init(crashscan: String, scratch: String, found: String, logs: [String], parts: [String]) {
    mkdir(scratch, 0o700)
    self.found = found
    inputs = Inputs(logs: logs, parts: parts, directory: scratch)
    trial = Trial(program: crashscan, scratch: scratch)
  }

  mutating func run(_ numbers: StrideTo<Int>) {
    for number in numbers {
      let input = inputs.make(number)
      tally.count(input.kind)
      for form in input.forms { judge(input, form, number) }
    }
  }

  private mutating func judge(_ input: Inputs.Input, _ form: Form, _ number: Int) {
    let outcome = trial.run(form.arguments(input.files))
    tally.count("runs")
    tally.count(outcome.signal == 0 ? "exits with \(outcome.status)" : "signal \(outcome.signal)")
    let words = "\(form.name) of input \(number), \(input.size) bytes"
    tally.take("processor time", outcome.processor, words)
    tally.take("memory", Double(outcome.peak) / 1024, words)
    tally.take(
      "output by byte", Double(Files.size(trial.output)) / Double(max(1, input.size)), words)
    if let failure = failure(outcome, input, form) {
      keep(input, form, number)
      tally.failures.append("\(failure): \(words)")
    }
  }

  private func failure(_ outcome: Trial.Outcome, _ input: Inputs.Input, _ form: Form) -> String? {
    if outcome.isStuck { return "hang" }
    if outcome.signal != 0 { return "crash by signal \(outcome.signal)" }
    if ![0, 1, 2, 3, 64].contains(outcome.status) { return "status \(outcome.status)" }
    let most = Self.leastMemory + Self.memoryPerByte * input.size / 1024
    if outcome.peak > most { return "memory of \(outcome.peak) KiB" }
    guard form.isText, let steering = Files.steering(in: trial.output) else { return nil }
    return "output that steers a terminal, \(steering)"
  }

  /// Keeps what failed, and how, for whoever is to mend it.
  private func keep(_ input: Inputs.Input, _ form: Form, _ number: Int) {
    let kept = input.files.enumerated().map { place, file in
      let name = file.split(separator: "/").last.map(String.init) ?? "input"
      let path = "\(found)/\(number)-\(place)-\(name)"
      Files.write(Files.read(file), to: path)
      return path
    }
    let name = form.name.split(separator: " ").joined(separator: "-")
    let line = (["crashscan"] + form.arguments(kept)).joined(separator: " ") + "\n"
    Files.write(Array(line.utf8) + Files.read(trial.errors), to: "\(found)/\(number)-\(name).txt")
  }
}
