internal import CRuntime
import Synchronization

/// A stack as one field, newest first, for a person to read: functions where they are known, else
/// `module+offset`; what lies within Mainstay is one word.
func stackField(_ stack: [UInt]) -> String {
  var names: [String] = []
  for name in stack.lazy.map(FrameNames.name) where name != names.last || name != FrameNames.own {
    if names.count == mostFrames { return names.joined(separator: " < ") + " < …" }
    names.append(name)
  }
  return names.joined(separator: " < ")
}

// What is further out is the same for most violations: the queue's own work and the thread's start.
private let mostFrames = 16

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
      return ms_code_demangle(symbol, text, room.count) ? plain(String(cString: text)) : mangled
    }
  }

  /// The name without what it returns, and closures without their types: a reader looks for the
  /// function.
  private static func plain(_ name: String) -> String {
    let name = withoutDiscriminators(name)
    var parts: [[Substring]] = [[]]
    var depth = 0
    var isResult = false
    for word in name.split(separator: " ") {
      if depth == 0 && word == "in" {
        parts.append([])
        isResult = false
        continue
      }
      // What stands before an `of` is what the optimizer did.
      if depth == 0 && word == "of" {
        parts[parts.count - 1] = []
        continue
      }
      isResult = isResult || (depth == 0 && word == "->")
      if !isResult { parts[parts.count - 1].append(word) }
      // The `>` of an arrow closes nothing.
      if word != "->" { depth += word.reduce(0) { $0 + step($1) } }
    }
    let plain = parts.map { part in
      // Before a closure stands what the optimizer did to it.
      let words = part[(part.firstIndex(of: "closure") ?? 0)...]
      return words.first == "closure" ? words.prefix(2) : words
    }
    return plain.map { $0.joined(separator: " ") }.joined(separator: " in ")
  }

  /// The name with `name` for `(name in _0123456789ABCDEF0123456789ABCDEF)`: what tells a file's private
  /// functions from another file's is a number that says nothing.
  private static func withoutDiscriminators(_ name: String) -> String {
    let bytes = Array(name.utf8)
    let mark = Array(" in _".utf8)
    var kept: [UInt8] = []
    var at = 0
    while at < bytes.count {
      let end = at + mark.count + 32
      if end < bytes.count, bytes[end] == UInt8(ascii: ")"), bytes[at...].starts(with: mark),
        bytes[(at + mark.count)..<end].allSatisfy(isHexadecimal),
        let open = kept.lastIndex(of: UInt8(ascii: "("))
      {
        kept.remove(at: open)
        at = end + 1
      } else {
        kept.append(bytes[at])
        at += 1
      }
    }
    return String(decoding: kept, as: UTF8.self)
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte)
  }

  private static func step(_ character: Character) -> Int {
    switch character {
    case "(", "<": 1
    case ")", ">": -1
    default: 0
    }
  }
}
