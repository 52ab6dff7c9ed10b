extension Finding {
  /// The id of the finding: a hash of the rule, the culprit's function and module, and `identity`,
  /// none of which depends on the run, the build, or line numbers.
  package var fingerprint: String {
    var hash = StableHash()
    hash.add(rule)
    hash.add(culprit?.function ?? "")
    hash.add(culprit?.module ?? "")
    hash.add(identity)
    return hash.hexadecimal
  }
}

/// A 64-bit FNV-1a hash, unlike `Hasher` the same in every process.
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
