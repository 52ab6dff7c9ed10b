/// Writes the packets of a Perfetto trace, with interned texts, and passes them on in large pieces.
///
/// The field numbers are from Perfetto's `trace_packet.proto` and `track_event.proto`.
final class PerfettoPackets {
  /// The use of an interned text: its field in `InternedData`.
  enum Use: UInt32, CaseIterable {
    case category = 1
    case eventName = 2
    case annotationName = 3
    case annotationText = 29
  }

  private let put: (UnsafeRawBufferPointer) -> Void
  private var bytes = ProtoBytes()
  private var interned = ProtoBytes()
  private var tables = [TextTable](repeating: TextTable(), count: Use.allCases.count)
  /// The numbers of fixed texts; 0 until a text is interned.
  private var fixed = [UInt64](repeating: 0, count: FixedText.allCases.count)
  private var isFresh = true

  private static let piece = 1 << 18
  private static let monotonicClock: UInt64 = 3
  private static let wallClock: UInt64 = 1
  private static let sequence: UInt64 = 1
  private static let stateCleared: UInt64 = 1
  private static let needsState: UInt64 = 2

  /// Creates a writer.
  ///
  /// - Parameter put: Receives the bytes, one piece after another.
  init(put: @escaping (UnsafeRawBufferPointer) -> Void) { self.put = put }

  /// Relates the trace's monotonic clock to the wall clock.
  func clocks(monotonic: UInt64, wall: UInt64) {
    packet { packet in
      packet.message(6) { snapshot in
        for (clock, time) in [(Self.wallClock, wall), (Self.monotonicClock, monotonic)] {
          snapshot.message(1) { entry in
            entry.field(1, clock)
            entry.field(2, time)
          }
        }
        snapshot.field(2, Self.monotonicClock)
      }
    }
  }

  /// Writes the descriptor of a track.
  func track(_ body: (inout ProtoBytes) -> Void) {
    packet { $0.message(60, body) }
  }

  /// Writes an event of a track.
  @inline(__always)
  func event(at time: UInt64, _ body: (inout ProtoBytes) -> Void) {
    packet { packet in
      packet.field(8, time)
      packet.message(11, body)
    }
  }

  /// Discards all interned texts if there are many, and makes the reader do the same, so that a
  /// trace of any length needs bounded memory. Earlier numbers become invalid, so call it between
  /// crumbs.
  func settle() {
    guard tables.contains(where: \.isFull) else { return }
    for index in tables.indices { tables[index].removeAll() }
    for index in fixed.indices { fixed[index] = 0 }
    isFresh = true
  }

  /// Returns the number of an interned text for a use.
  func number(of text: UnsafeRawBufferPointer, for use: Use) -> UInt64 {
    let (number, isNew) = tables[use.place].number(of: text)
    if isNew {
      interned.message(use.rawValue) { entry in
        entry.field(1, number)
        entry.field(2, wellFormed: text)
      }
    }
    return number
  }

  func number(of text: String, for use: Use) -> UInt64 {
    var text = text
    return text.withUTF8 { number(of: UnsafeRawBufferPointer($0), for: use) }
  }

  /// Returns the number of a fixed text.
  @inline(__always)
  func number(of text: FixedText) -> UInt64 {
    let known = fixed[text.rawValue]
    return known > 0 ? known : learn(text)
  }

  private func learn(_ text: FixedText) -> UInt64 {
    let number = number(of: text.text, for: text.use)
    fixed[text.rawValue] = number
    return number
  }

  /// Writes the remaining bytes.
  func finish() {
    put(bytes.contents)
    bytes.removeAll()
  }

  @inline(__always)
  private func packet(_ body: (inout ProtoBytes) -> Void) {
    bytes.message(1) { packet in
      packet.field(10, Self.sequence)
      body(&packet)
      if interned.count > 0 {
        packet.field(12, interned.contents)
        interned.removeAll()
      }
      if isFresh {
        packet.field(13, Self.stateCleared | Self.needsState)
        packet.message(59) { $0.field(58, Self.monotonicClock) }
        isFresh = false
      } else {
        packet.field(13, Self.needsState)
      }
    }
    if bytes.count >= Self.piece { finish() }
  }

}

extension PerfettoPackets.Use {
  fileprivate var place: Int {
    switch self {
    case .category: 0
    case .eventName: 1
    case .annotationName: 2
    case .annotationText: 3
    }
  }
}

extension ProtoBytes {
  /// Replaces invalid UTF-8, because a reader would reject the packet. Texts of a log are not trusted.
  fileprivate mutating func field(_ number: UInt32, wellFormed text: UnsafeRawBufferPointer) {
    if text.allSatisfy({ $0 < 0x80 }) {
      field(number, text)
    } else {
      field(number, String(decoding: text, as: UTF8.self))
    }
  }
}
