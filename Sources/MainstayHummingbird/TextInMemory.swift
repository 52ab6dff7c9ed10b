#if Hummingbird
  /// A string as the bits it is, short text or an address and a size: the same bits are the same text, for as long as
  /// somebody holds it.
  struct TextInMemory: Equatable, Sendable {
    private let bits: (UInt64, UInt64)

    init(_ text: String) { bits = unsafeBitCast(text, to: (UInt64, UInt64).self) }

    static func == (one: TextInMemory, other: TextInMemory) -> Bool { one.bits == other.bits }

    /// Nil is no text.
    var isText: Bool { bits.1 != 0 }

    /// For a hash; not spread yet.
    var mixed: UInt64 { bits.0 &* 31 ^ bits.1 }
  }
#endif
