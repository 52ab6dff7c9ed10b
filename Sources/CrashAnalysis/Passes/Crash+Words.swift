import IncidentModel

/// A crash as findings name it.
extension Crash {
  /// What it is called.
  var name: String { title ?? SignalName.of(signal) }

  /// It in one line, as the process with this id met it.
  func line(in process: Int?) -> String {
    cause(in: process) + (text.isEmpty ? "" : ": \(text)")
  }

  /// Its signal, what could not be accessed, and who sent it, if that was not the process itself.
  func cause(in process: Int?) -> String {
    // For other signals the address is where the instruction stands, which the stack says better.
    let isAccess = signal == 11 || signal == 7
    let address = isAccess ? self.address.map { " at 0x\(String($0, radix: 16))" } ?? "" : ""
    let foreign = sender.flatMap { $0.process == process ? nil : $0 }
    return "\(name)\(address)\(foreign.map { " sent by process \($0.process)" } ?? "")"
  }

  /// What the libraries said before they gave up, in a line.
  var text: String {
    texts.map { text in
      switch text {
      case .swift(let said), .cLibrary(let said), .exception(let said): said
      case .exceptionType(let mangled): "exception \(mangled)"
      }
    }.joined(separator: "; ").split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}
