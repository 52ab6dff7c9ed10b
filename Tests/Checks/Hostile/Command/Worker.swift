import Glibc
import HostileLogs

/// Puts its share of the inputs through every form of output.
struct Worker {
  /// The arguments that all processes of a run have in common.
  struct Setting {
    var crashscan: String
    var scratch: String
    var logs: [String]
    var parts: [String]

    /// As arguments, beginning with the third.
    var arguments: [String] { [crashscan, scratch] + logs + ["--"] + parts }

    init(crashscan: String, scratch: String, logs: [String], parts: [String]) {
      self.crashscan = crashscan
      self.scratch = scratch
      self.logs = logs
      self.parts = parts
    }

    init?(_ arguments: ArraySlice<String>) {
      guard let end = arguments.firstIndex(of: "--"), end - arguments.startIndex > 2 else {
        return nil
      }
      crashscan = arguments[arguments.startIndex]
      scratch = arguments[arguments.startIndex + 1]
      logs = Array(arguments[(arguments.startIndex + 2)..<end])
      parts = Array(arguments[(end + 1)...])
    }
  }

  private let inputs: Inputs
  private let trial: Trial
  private let setting: Setting
  private let job: Int
  private let found: String
  private(set) var tally = Tally()

  /// Beside what crashscan needs for a log of nothing, so many bytes for each of its input.
  static let memoryPerByte = 128
  /// What it needs for a log of nothing, in KiB: itself, its libraries, the names of the program.
  static let leastMemory = 64 << 10
  /// So many inputs are put through all forms by one process.
  private static let batch = 25

  init(_ setting: Setting, job: Int) {
    let directory = "\(setting.scratch)/job-\(job)"
    mkdir(directory, 0o700)
    self.setting = setting
    self.job = job
    found = setting.scratch + "/found"
    inputs = Inputs(logs: setting.logs, parts: setting.parts, directory: directory)
    trial = Trial(program: setting.crashscan, scratch: directory)
  }

  /// Takes every `jobs`th batch of the inputs.
  mutating func run(_ numbers: Range<Int>, of jobs: Int) {
    let step = Self.batch * jobs
    for start in stride(
      from: numbers.lowerBound + Self.batch * job, to: numbers.upperBound, by: step)
    {
      let batch = start..<min(start + Self.batch, numbers.upperBound)
      inside(batch)
      for number in batch { byCommand(number) }
    }
  }

  // MARK: Within one process

  /// All forms of each by one process; where that comes to grief, each by one of its own.
  private mutating func inside(_ batch: Range<Int>) {
    let process = Trial(program: "/proc/self/exe", scratch: trial.scratch)
    let outcome = process.run(
      ["inside", "\(job)", "\(batch.lowerBound)-\(batch.upperBound)"] + setting.arguments)
    if outcome.signal == 0, outcome.status == 0, !outcome.isStuck {
      let text = String(decoding: Files.read(process.output), as: UTF8.self)
      for line in text.split(separator: "\n") { tally.add(line: line) }
    } else if batch.count > 1 {
      for number in batch { inside(number..<number + 1) }
    } else {
      let number = batch.lowerBound
      keep(inputs.log(number), "inside")
      if Self.hasPart(number) { keep(inputs.part(number), "inside") }
      let how = outcome.isStuck ? "hang" : "signal \(outcome.signal), status \(outcome.status)"
      tally.failures.append("\(how) in some form of input \(number)")
    }
  }

  /// Every tenth number stands for a summary too.
  static func hasPart(_ number: Int) -> Bool { number % 10 == 7 }

  // MARK: By the command itself

  private mutating func byCommand(_ number: Int) {
    if number % 20 == 0 { judgeAll(inputs.log(number), "logs by command") }
    if number % 200 == 7 { judgeAll(inputs.part(number), "summaries by command") }
    if number % 10 == 5 {
      // Packed logs are logs by the time they are read: one form of each will do.
      var input = inputs.packed(number)
      input.forms = [input.forms[number / 10 % input.forms.count]]
      judgeAll(input, "packed logs")
    }
  }

  private mutating func judgeAll(_ input: Inputs.Input, _ kind: String) {
    tally.count(kind)
    for form in input.forms { judge(input, form) }
  }

  private mutating func judge(_ input: Inputs.Input, _ form: Form) {
    let outcome = trial.run(form.arguments(input.files))
    tally.count("runs")
    tally.count(outcome.signal == 0 ? "exits with \(outcome.status)" : "signal \(outcome.signal)")
    let words = "\(form.name) of input \(input.number), \(input.size) bytes"
    tally.take("processor time of a run", outcome.processor, words)
    tally.take("memory of a run", Double(outcome.peak) / 1024, words)
    if let failure = failure(outcome, input, form) {
      keep(input, form.name)
      tally.failures.append("\(failure): \(words)")
    }
  }

  private func failure(_ outcome: Trial.Outcome, _ input: Inputs.Input, _ form: Form) -> String? {
    if outcome.isStuck { return "hang" }
    if outcome.signal != 0 { return "crash by signal \(outcome.signal)" }
    if ![0, 1, 2, 3, 64].contains(outcome.status) { return "status \(outcome.status)" }
    let most = Self.leastMemory + Self.memoryPerByte * input.size / 1024
    if outcome.peak > most { return "memory of \(outcome.peak) KiB" }
    guard form.isText, let steering = Steering.first(in: Files.read(trial.output)) else {
      return nil
    }
    return "output that steers a terminal, \(steering)"
  }

  /// Keeps what failed, and how, for whoever is to fix it.
  private func keep(_ input: Inputs.Input, _ form: String) {
    for file in input.files {
      let name = file.split(separator: "/").last.map(String.init) ?? "input"
      Files.write(Files.read(file), to: "\(found)/\(input.number)-\(name)")
    }
    let name = form.split(separator: " ").joined(separator: "-")
    Files.write(Files.read(trial.errors), to: "\(found)/\(input.number)-\(name).txt")
  }
}
