#if Hummingbird
  internal import Hummingbird
  internal import Logging

  /// What says of a logger's value that it is an id of Hummingbird's: the two words of its type, and which of a value's
  /// choices it is. The id's number is in its first word. To switch over the value would copy it.
  struct IDKind: Equatable, Sendable {
    /// Nil where a value is of another make.
    static let example: IDKind? = {
      guard MemoryLayout<RequestID>.size == MemoryLayout<UInt64>.size,
        (end...end + 1).contains(MemoryLayout<Logger.MetadataValue>.size)
      else { return nil }
      return withUnsafePointer(to: Logger.MetadataValue.stringConvertible(RequestID())) {
        IDKind(of: $0)
      }
    }()

    /// Of an existential of one protocol.
    private static let words = 3 * MemoryLayout<UInt>.size
    private static let end = 5 * MemoryLayout<UInt>.size

    private let type: (UInt, UInt)
    private let choice: UInt8

    @inline(__always)
    private init(of value: UnsafeRawPointer) {
      type = value.load(fromByteOffset: Self.words, as: (UInt, UInt).self)
      choice =
        MemoryLayout<Logger.MetadataValue>.size > Self.end
        ? value.load(fromByteOffset: Self.end, as: UInt8.self) : 0
    }

    @inline(__always)
    static func == (one: IDKind, other: IDKind) -> Bool {
      one.type == other.type && one.choice == other.choice
    }

    /// The value's number, if it is of this kind.
    @inline(__always)
    func number(in value: UnsafeRawPointer) -> UInt64? {
      self == IDKind(of: value) ? value.load(as: UInt64.self) : nil
    }
  }
#endif
