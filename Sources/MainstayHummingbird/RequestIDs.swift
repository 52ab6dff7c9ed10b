#if Hummingbird
  internal import Breadcrumbs
  internal import Hummingbird
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

    private static func write(_ number: UInt64, to room: UnsafeMutableBufferPointer<UInt8>) {
      var left = number
      for place in (0..<digits).reversed() {
        let digit = UInt8(truncatingIfNeeded: left & 15)
        room[place] = digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
        left >>= 4
      }
    }

    /// Gives `body` the text of the id that a request's logger has; a number of our own where it keeps none.
    ///
    /// What it makes is no type of the caller's choice: for each request that would be looked up.
    func withText<Context: RequestContext>(
      of context: Context, _ body: (UnsafeRawBufferPointer) -> CrumbContext
    ) -> CrumbContext {
      guard let value = context.logger[metadataKey: Self.key] else {
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
