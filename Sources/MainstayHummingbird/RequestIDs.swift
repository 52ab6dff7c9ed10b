#if Hummingbird
  internal import Breadcrumbs
  internal import Hummingbird
  internal import Logging
  internal import Synchronization

  /// Writes the ids of requests without making a text of each: one of Hummingbird's is a number behind what is the
  /// same for all of a process.
  struct RequestIDs: Sendable {
    private static let key = "hb.request.id"
    private static let digits = 16
    /// What they all begin with; nil if this Hummingbird makes them in another way, and then they are asked.
    private let start: [UInt8]?

    init() {
      let (one, other) = (RequestID(), RequestID())
      start = Self.start(of: one).flatMap { $0 == Self.start(of: other) ? $0 : nil }
    }

    private static func start(of id: RequestID) -> [UInt8]? {
      let text = Array(id.description.utf8)
      guard text.count >= digits, let number = number(id) else { return nil }
      let isNumber = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: digits) { room in
        write(number, to: room)
        return text.suffix(digits).elementsEqual(room)
      }
      return isNumber ? Array(text.dropLast(digits)) : nil
    }

    /// The number that an id of Hummingbird's is.
    private static func number<Value: CustomStringConvertible>(_ id: Value) -> UInt64? {
      guard Value.self == RequestID.self, MemoryLayout<Value>.size == MemoryLayout<UInt64>.size
      else { return nil }
      return withUnsafeBytes(of: id) { $0.load(as: UInt64.self) }
    }

    /// Writes its digits, eight at once: each half byte in a byte of its own, and what letters have more.
    private static func write(_ number: UInt64, to room: UnsafeMutableBufferPointer<UInt8>) {
      let to = UnsafeMutableRawPointer(room.baseAddress!)
      to.storeBytes(of: hexadecimal(number >> 32), as: UInt64.self)
      to.storeBytes(of: hexadecimal(number & 0xffff_ffff), toByteOffset: 8, as: UInt64.self)
    }

    private static func hexadecimal(_ number: UInt64) -> UInt64 {
      var digits = number
      digits = (digits | digits << 16) & 0x0000_ffff_0000_ffff
      digits = (digits | digits << 8) & 0x00ff_00ff_00ff_00ff
      digits = (digits | digits << 4) & 0x0f0f_0f0f_0f0f_0f0f
      let letters = ((digits &+ 0x0606_0606_0606_0606) >> 4) & 0x0101_0101_0101_0101
      let text =
        digits &+ 0x3030_3030_3030_3030 &+ letters
        &* (UInt64(UInt8(ascii: "a") - UInt8(ascii: "0")) - 10)
      return text.bigEndian
    }

    /// Gives `body` the text of the id that a request's logger has; a number of our own where it keeps none.
    func withText(
      of logger: Logger, _ body: (UnsafeRawBufferPointer) -> CrumbContext
    ) -> CrumbContext {
      guard let value = logger[metadataKey: Self.key] else {
        return withBytes(of: "\(requestsWithoutID.add(1, ordering: .relaxed).newValue)", body)
      }
      guard case .stringConvertible(let id) = value, let start, let number = Self.number(id) else {
        return withBytes(of: value.description, body)
      }
      return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: start.count + Self.digits) {
        room in
        _ = room.initialize(fromContentsOf: start)
        Self.write(number, to: UnsafeMutableBufferPointer(rebasing: room[start.count...]))
        return body(UnsafeRawBufferPointer(room))
      }
    }

    private func withBytes(
      of text: String, _ body: (UnsafeRawBufferPointer) -> CrumbContext
    ) -> CrumbContext {
      var text = text
      return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }
  }

  private let requestsWithoutID = Atomic<UInt64>(0)
#endif
