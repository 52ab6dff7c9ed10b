internal import CRuntime
import Synchronization

/// A stack as one field, newest first, for a person to read: functions where they are known, else
/// `module+offset`; what lies within Mainstay is one word, a function that calls itself stands once, and
/// what Dispatch and the system do to run any code at all is left out.
func stackField(_ stack: [UInt]) -> String {
  var names: [String] = []
  for name in stack.lazy.map(FrameNames.name) where !isThunk(name) && name != names.last {
    names.append(name)
    if names.count > mostFrames { break }
  }
  while let last = names.last, names.count > 1, runsAnything(last) { names.removeLast() }
  if names.count > mostFrames { names[mostFrames] = "…" }
  return names.joined(separator: " < ")
}

// What is further out is seldom worth a longer line; a crumb has the whole stack.
private let mostFrames = 16

private func isThunk(_ name: String) -> Bool {
  ["reabstraction thunk", "partial apply forwarder"].contains { name.hasPrefix($0) }
}

/// Whether a function is one of those that stand below all code.
private func runsAnything(_ name: String) -> Bool {
  [
    "_dispatch_", "start_thread", "__clone", "__libc_start", "_start", "libc.so", "libdispatch.so",
  ].contains { name.hasPrefix($0) }
}

/// The names of frames, found once: the second time a line is written it costs little.
private enum FrameNames {
  /// What stands for frames of this module.
  static let own = "(mainstay)"

  private static let known = Mutex<[UInt: String]>([:])
  private static let mostKnown = 4096

  static func name(of address: UInt) -> String {
    if let name = known.withLock({ $0[address] }) { return name }
    let name = find(address)
    known.withLock { known in
      if known.count >= mostKnown { known.removeAll() }
      known[address] = name
    }
    return name
  }

  private static func find(_ address: UInt) -> String {
    // A return address may be the first of the next function: the call is the byte before it.
    let call = address &- 1
    let place = ms_code_at(call)
    guard let path = place.module else { return "0x" + String(address, radix: 16) }
    let module = String(cString: path).split(separator: "/").last ?? "?"
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1024) { room in
      let text = room.baseAddress!
      if let exported = place.function { return readable(exported) }
      if ms_code_hidden_name(place, call, text, room.count) { return readable(text) }
      return "\(module)+0x" + String(address - place.base, radix: 16)
    }
  }

  private static func readable(_ symbol: UnsafePointer<CChar>) -> String {
    let mangled = String(cString: symbol)
    if mangled.hasPrefix("$s14ThreadAffinity") { return own }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { room in
      let text = room.baseAddress!
      return ms_code_demangle(symbol, text, room.count)
        ? ShortName.of(String(cString: text)) : mangled
    }
  }
}
