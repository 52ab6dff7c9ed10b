#if Hummingbird
  internal import Breadcrumbs
  internal import Hummingbird
  internal import Logging
  internal import Synchronization

  /// The ids of requests, without making a text of each: one of Hummingbird's is a number behind what is the same for all
  /// of a process.
  struct RequestIDs: Sendable {
    private static let key = "hb.request.id"
    private static let digits = 16
    /// What they all begin with; nil if this Hummingbird makes them in another way, and then they are asked.
    let start: String?

    init() {
      let (one, other) = (RequestID(), RequestID())
      start = Self.start(of: one).flatMap { $0 == Self.start(of: other) ? $0 : nil }
    }

    private static func start(of id: RequestID) -> String? {
      let text = id.description
      guard text.utf8.count >= digits, let number = number(.stringConvertible(id)),
        withUnsafeBytes(of: Self.text(of: number), { $0.elementsEqual(text.utf8.suffix(digits)) })
      else { return nil }
      return String(decoding: text.utf8.dropLast(digits), as: UTF8.self)
    }

    /// The number that an id of Hummingbird's is, read where the value has it: in three words an existential's own, which
    /// is it or where it is, and then its type.
    @inline(__always)
    private static func number(_ value: Logger.MetadataValue) -> UInt64? {
      guard case .stringConvertible = value,
        MemoryLayout<RequestID>.size == MemoryLayout<UInt64>.size
      else { return nil }
      return withUnsafeBytes(of: value) { words in
        let type = words.load(fromByteOffset: 3 * MemoryLayout<UInt64>.size, as: UInt64.self)
        guard type == unsafeBitCast(RequestID.self as Any.Type, to: UInt64.self) else { return nil }
        return words.load(as: UInt64.self)
      }
    }

    /// Its digits.
    @inline(__always)
    private static func text(of number: UInt64) -> (UInt64, UInt64) {
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

    /// What all crumbs of a request of a route have: the id that its logger has; a number of our own where that keeps none.
    @inline(__always)
    func crumbs(of logger: Logger, on route: RouteCrumbs) -> CrumbContext {
      guard let value = logger[metadataKey: Self.key] else {
        let number = requestsWithoutID.add(1, ordering: .relaxed).newValue
        return route.crumbs(id: "\(number)")
      }
      if let numbered = route.numbered, let number = Self.number(value) {
        return CrumbContext(adding: numbered, endingIn: Self.text(of: number))
      }
      return route.crumbs(id: value.description)
    }
  }

  private let requestsWithoutID = Atomic<UInt64>(0)
#endif
