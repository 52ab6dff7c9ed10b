import IncidentModel

/// Signals as people know them.
enum Signals {
  static func name(_ number: Int) -> String { names[number] ?? "signal \(number)" }

  /// A crash in one line.
  static func describe(_ crash: Crash) -> String {
    let address = crash.address.map { " at 0x\(String($0, radix: 16))" } ?? ""
    let text = crash.text.isEmpty ? "" : ": \(crash.text)"
    return "\(name(crash.signal))\(address)\(text)"
  }

  private static let names: [Int: String] = [
    1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS",
    8: "SIGFPE", 9: "SIGKILL", 11: "SIGSEGV", 13: "SIGPIPE", 15: "SIGTERM", 31: "SIGSYS",
  ]
}
