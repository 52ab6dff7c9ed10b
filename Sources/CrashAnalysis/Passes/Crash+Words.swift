import IncidentModel

/// A crash as findings name it.
extension Crash {
  /// What it is called.
  var name: String { title ?? SignalName.of(signal) }

  /// It in one line.
  var line: String {
    // For the others it is where the instruction stands, which the stack says better.
    let isAccess = signal == 11 || signal == 7
    let address = isAccess ? self.address.map { " at 0x\(String($0, radix: 16))" } ?? "" : ""
    let sender = sender.map { " sent by process \($0.process)" } ?? ""
    return "\(name)\(address)\(sender)" + (text.isEmpty ? "" : ": \(text)")
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
