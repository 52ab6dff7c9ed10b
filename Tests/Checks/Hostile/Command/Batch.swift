import Glibc

/// Puts a few inputs through every form of output within this process.
struct Batch {
  private let inputs: Inputs
  private var inside = Inside()
  private let found: String
  private(set) var tally = Tally()

  init(_ setting: Worker.Setting, job: Int) {
    inputs = Inputs(
      logs: setting.logs, parts: setting.parts, directory: "\(setting.scratch)/job-\(job)")
    found = setting.scratch + "/found"
  }

  mutating func run(_ numbers: Range<Int>) {
    for number in numbers {
      let log = inputs.log(number)
      judge(log, "logs") { $0.judge(log: log.files[0]) }
      guard Worker.hasPart(number) else { continue }
      let part = inputs.part(number)
      judge(part, "summaries") { $0.judge(parts: part.files.map(Files.read)) }
    }
  }

  private mutating func judge(
    _ input: Inputs.Input, _ kind: String, _ body: (inout Inside) -> [Inside.Complaint]
  ) {
    tally.count(kind)
    let (outputs, memory, start) = (inside.outputs, Memory.resident, processorTime())
    Memory.forgetPeak()
    var complaints = body(&inside)
    let words = "all forms of input \(input.number), \(input.size) bytes"
    let more = max(0, Memory.peak - memory)
    tally.take("memory within a process", Double(more) / 1024, words)
    tally.take("processor time within a process", processorTime() - start, words)
    // What all forms leave to the allocator counts for all of them.
    if more > Worker.leastMemory + Worker.memoryPerByte * input.size / 1024 {
      complaints.append(Inside.Complaint(form: "some form", words: "memory of \(more) KiB"))
    }
    for complaint in complaints {
      tally.failures.append("\(complaint.words): \(complaint.form) of input \(input.number)")
      for file in input.files {
        let name = file.split(separator: "/").last.map(String.init) ?? "input"
        Files.write(Files.read(file), to: "\(found)/\(input.number)-\(name)")
      }
    }
    tally.counts["outputs", default: 0] += inside.outputs - outputs
  }
}

/// This process's memory, in KiB.
enum Memory {
  static var resident: Int { value("VmRSS:") }
  static var peak: Int { value("VmHWM:") }

  /// Lets the peak begin anew.
  static func forgetPeak() {
    guard let file = fopen("/proc/self/clear_refs", "w") else { return }
    fputs("5", file)
    fclose(file)
  }

  private static func value(_ name: String) -> Int {
    guard let file = fopen("/proc/self/status", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, 256, file) != nil {
      let text = String(
        decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      if text.hasPrefix(name) { return Int(text.filter(\.isNumber)) ?? 0 }
    }
    return 0
  }
}

/// Seconds that this process has computed.
func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
}
