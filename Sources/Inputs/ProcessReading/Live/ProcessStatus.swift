import Glibc

/// The public state of a process.
struct ProcessStatus: Sendable {
  let id: Int
  let name: String
  /// The first letter of the kernel's word: `R`, `S`, `D`, `T`, `Z`.
  let state: String
  /// The process that a thread belongs to; its own id for a process.
  let threadGroup: Int
  let parent: Int
  let tracer: Int
  let user: Int
  let effectiveCapabilities: UInt64
  /// How many processors its threads may use.
  let processors: Int
  let isKernelThread: Bool

  /// Nil if there is no such process.
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
    // Groups of eight hexadecimal digits, with a bit for each.
    processors = (fields["Cpus_allowed"] ?? "").reduce(0) {
      $0 + ($1.hexDigitValue ?? 0).nonzeroBitCount
    }
    isKernelThread = Self.flags(of: id) & Self.kernelThread != 0
  }

  static var own: ProcessStatus? { ProcessStatus(of: Int(getpid())) }

  /// Whether it may trace processes of others: `CAP_SYS_PTRACE`.
  var mayTraceOthers: Bool { effectiveCapabilities & 1 << 19 != 0 }

  /// The kernel's `PF_KTHREAD`, in the flags of `/proc/PID/stat`.
  private static let kernelThread: UInt64 = 0x20_0000

  private static func flags(of id: Int) -> UInt64 {
    // The name stands in parentheses and may contain anything, also parentheses.
    guard let text = ProcessFiles.text("/proc/\(id)/stat"), let end = text.lastIndex(of: ")") else {
      return 0
    }
    let words = text[end...].dropFirst().split(separator: " ")
    return words.count > 6 ? UInt64(words[6]) ?? 0 : 0
  }

  /// The kernel's letter for a thread's state, in words.
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
