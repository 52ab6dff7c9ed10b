import Glibc

/// The public state of a process.
struct ProcessStatus: Sendable {
  let id: Int
  let name: String
  /// The kernel's state letter: `R`, `S`, `D`, `T`, `Z`.
  let state: String
  /// The process id of the process to which a thread belongs; for a process, its own id.
  let threadGroup: Int
  let parent: Int
  let tracer: Int
  let user: Int
  let effectiveCapabilities: UInt64
  /// The number of processors that the threads may use.
  let processors: Int
  let isKernelThread: Bool

  /// Creates the status of a process; nil if there is no process with this id.
  init?(of id: Int) {
    guard let text = ProcessFiles.text("/proc/\(id)/status") else { return nil }
    var fields: [Substring: String] = [:]
    for line in text.split(separator: "\n") {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...].drop { $0 == "\t" || $0 == " " }
      fields[line[..<colon]] = String(value)
    }
    func number(_ field: Substring) -> Int? {
      fields[field].flatMap { $0.split { $0 == "\t" || $0 == " " }.first }.flatMap { Int($0) }
    }
    self.id = id
    name = fields["Name"] ?? ""
    state = String(fields["State"]?.prefix(1) ?? "")
    threadGroup = number("Tgid") ?? id
    parent = number("PPid") ?? 0
    tracer = number("TracerPid") ?? 0
    user = number("Uid") ?? 0
    effectiveCapabilities = UInt64(fields["CapEff"] ?? "", radix: 16) ?? 0
    // Groups of eight hexadecimal digits; each bit is a processor.
    processors = (fields["Cpus_allowed"] ?? "").reduce(0) {
      $0 + ($1.hexDigitValue ?? 0).nonzeroBitCount
    }
    isKernelThread = Self.flags(of: id) & Self.kernelThread != 0
  }

  static var own: ProcessStatus? { ProcessStatus(of: Int(getpid())) }

  /// True if the process may trace other users' processes: `CAP_SYS_PTRACE`.
  var mayTraceOthers: Bool { effectiveCapabilities & 1 << 19 != 0 }

  /// The flag for kernel threads, `PF_KTHREAD`, in the flags of `/proc/PID/stat`.
  private static let kernelThread: UInt64 = 0x20_0000

  private static func flags(of id: Int) -> UInt64 {
    // The name is in parentheses and may itself contain parentheses.
    guard let text = ProcessFiles.text("/proc/\(id)/stat"), let end = text.lastIndex(of: ")") else {
      return 0
    }
    let words = text[end...].dropFirst().split(separator: " ")
    return words.count > 6 ? UInt64(words[6]) ?? 0 : 0
  }

  /// The description of a state letter.
  static func words(forState letter: Character) -> String? {
    switch letter {
    case "R": "running"
    case "S": "sleeping"
    case "D": "waiting for a device"
    case "T": "stopped"
    case "t": "stopped by a debugger"
    case "Z", "X": "ended"
    case "I": "idle"
    default: nil
    }
  }
}
