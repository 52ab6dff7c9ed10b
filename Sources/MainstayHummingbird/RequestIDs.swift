#if Hummingbird
  internal import Hummingbird
  internal import Logging

  /// The ids of requests, without making a text of each: one of Hummingbird's is a number behind what is the same for all
  /// of a process.
  enum RequestIDs {
    static let key = "hb.request.id"
    static let digits = 16

    /// What they all begin with; nil if this Hummingbird makes them in another way, and then they are asked.
    static let start: String? = {
      let (one, other) = (RequestID(), RequestID())
      return start(of: one).flatMap { $0 == start(of: other) ? $0 : nil }
    }()

    private static func start(of id: RequestID) -> String? {
      let text = id.description
      guard text.utf8.count >= digits, let number = number(.stringConvertible(id)),
        withUnsafeBytes(of: Self.text(of: number), { $0.elementsEqual(text.utf8.suffix(digits)) })
      else { return nil }
      return String(decoding: text.utf8.dropLast(digits), as: UTF8.self)
    }

    static func number(_ value: Logger.MetadataValue) -> UInt64? {
      withUnsafePointer(to: value) { IDKind.example?.number(in: $0) }
    }

    /// Its digits.
    @inline(__always)
    static func text(of number: UInt64) -> (UInt64, UInt64) {
      (hexadecimal(number >> 32), hexadecimal(number & 0xffff_ffff))
    }

    /// Eight digits at once: each half byte in a byte of its own, and what letters have more.
    @inline(never)
    private static func hexadecimal(_ number: UInt64) -> UInt64 {
      var digits = number
      digits = (digits | digits << 16) & 0x0000_ffff_0000_ffff
      digits = (digits | digits << 8) & 0x00ff_00ff_00ff_00ff
      digits = (digits | digits << 4) & 0x0f0f_0f0f_0f0f_0f0f
      let letters = ((digits &+ 0x0606_0606_0606_0606) >> 4) & 0x0101_0101_0101_0101
      let more = UInt64(UInt8(ascii: "a") - UInt8(ascii: "0")) - 10
      return (digits &+ 0x3030_3030_3030_3030 &+ letters &* more).bigEndian
    }
  }
#endif
