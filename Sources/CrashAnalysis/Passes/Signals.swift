import IncidentModel

/// Signals as people know them.
enum Signals {
  static func name(_ number: Int) -> String { names[number] ?? "signal \(number)" }

  /// A crash in one line.
  static func describe(_ crash: Crash) -> String {
    // For the others it is where the instruction stands, which the stack says better.
    let isAccess = crash.signal == 11 || crash.signal == 7
    let address = isAccess ? crash.address.map { " at 0x\(String($0, radix: 16))" } ?? "" : ""
    let sender = crash.sender.map { " sent by process \($0.process)" } ?? ""
    let text = text(of: crash)
    return "\(name(crash.signal))\(address)\(sender)" + (text.isEmpty ? "" : ": \(text)")
  }

  /// What the libraries said before they gave up, in a line.
  static func text(of crash: Crash) -> String {
    crash.texts.map { text in
      switch text {
      case .swift(let said), .cLibrary(let said), .exception(let said): said
      case .exceptionType(let mangled): "exception \(mangled)"
      }
    }.joined(separator: "; ").split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  private static let names: [Int: String] = [
    1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS",
    8: "SIGFPE", 9: "SIGKILL", 11: "SIGSEGV", 13: "SIGPIPE", 15: "SIGTERM", 31: "SIGSYS",
  ]
}
