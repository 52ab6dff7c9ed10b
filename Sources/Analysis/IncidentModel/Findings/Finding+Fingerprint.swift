extension Finding {
  /// The id of the finding, which does not depend on the run, the build, or line numbers.
  package var fingerprint: String {
    var hash = StableHash()
    hash.add(rule)
    hash.add(culprit?.function ?? "")
    hash.add(culprit?.module ?? "")
    hash.add(identity)
    return hash.hexadecimal
  }
}

/// A hash that is the same in every process: FNV-1a of 64 bits.
package struct StableHash {
  private var state: UInt64 = 0xcbf2_9ce4_8422_2325

  package init() {}

  /// Adds a text and a terminator, so that the hash distinguishes `"a", "b"` from `"ab"`.
  package mutating func add(_ text: String) {
    for byte in text.utf8 { add(byte) }
    add(0xff)
  }

  private mutating func add(_ byte: UInt8) {
    state = (state ^ UInt64(byte)) &* 0x100_0000_01b3
  }

  package var hexadecimal: String {
    let digits = String(state, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
