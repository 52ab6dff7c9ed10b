/// Repairs a truncated or damaged JSON document: finds the longest usable prefix and closes its
/// brackets.
enum CutJSON {
  /// The longest prefix that parses with its open brackets closed, and the length of that prefix;
  /// nil if no prefix parses.
  ///
  /// - Complexity: O(n log n), by binary search: every prefix that ends before the damage parses,
  ///   and no longer prefix does.
  static func repair(_ bytes: [UInt8]) -> (json: JSON, length: Int)? {
    var places: [Int] = []
    var brackets = Brackets()
    for (offset, byte) in bytes.enumerated() {
      switch brackets.take(byte) {
      case .separator: places.append(offset)
      case .bracket: places.append(offset + 1)
      case .other: break
      }
    }
    var best: (json: JSON, length: Int)?
    var low = 0
    var high = places.count
    while low < high {
      let middle = (low + high) / 2
      if let json = JSON(closed(bytes[..<places[middle]])) {
        best = (json, places[middle])
        low = middle + 1
      } else {
        high = middle
      }
    }
    return best
  }

  private static func closed(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var brackets = Brackets()
    for byte in bytes { _ = brackets.take(byte) }
    return bytes + brackets.closers
  }
}

/// The brackets that are open at a position of a JSON text.
private struct Brackets {
  enum Kind { case separator, bracket, other }

  private var open: [UInt8] = []
  private var isInString = false
  private var isEscaped = false

  mutating func take(_ byte: UInt8) -> Kind {
    if isInString {
      let wasEscaped = isEscaped
      isEscaped = byte == UInt8(ascii: "\\") && !wasEscaped
      if byte == UInt8(ascii: "\""), !wasEscaped { isInString = false }
      return .other
    }
    switch byte {
    case UInt8(ascii: "\""): isInString = true
    case UInt8(ascii: "{"): open.append(UInt8(ascii: "}"))
    case UInt8(ascii: "["): open.append(UInt8(ascii: "]"))
    case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = open.popLast()
    case UInt8(ascii: ","): return .separator
    default: return .other
    }
    return isInString ? .other : .bracket
  }

  /// The closing brackets for the open brackets, innermost first.
  var closers: [UInt8] { open.reversed() }
}
