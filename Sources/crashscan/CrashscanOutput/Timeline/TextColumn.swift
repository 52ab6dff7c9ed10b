import IncidentModel

/// The texts and data of events in one byte buffer.
struct TextColumn: Sendable {
  private struct Entry: Sendable {
    var start: Int
    var category: UInt16
    var message: UInt16
    var data: UInt16
    var isCut: Bool
  }

  private var entries: [Entry] = []
  private var bytes: [UInt8] = []

  var size: Int { bytes.count }

  func size(at index: Int) -> Int {
    let entry = entries[index]
    return Int(entry.category) + Int(entry.message) + Int(entry.data)
  }

  mutating func append(_ event: Event, most: Int) {
    let start = bytes.count
    let message = event.messageBytes.prefix(most)
    // Truncated data ends within a value, where its reader stops.
    let data = event.dataBytes.count <= most ? event.dataBytes[...] : event.dataBytes.prefix(most)
    bytes.append(contentsOf: event.categoryBytes)
    bytes.append(contentsOf: message)
    bytes.append(contentsOf: data)
    entries.append(
      Entry(
        start: start, category: UInt16(event.categoryBytes.count), message: UInt16(message.count),
        data: UInt16(data.count),
        isCut: message.count < event.messageBytes.count || data.count < event.dataBytes.count))
  }

  mutating func keep(_ kept: [Int]) {
    var next = TextColumn()
    next.entries.reserveCapacity(kept.count)
    for index in kept {
      var entry = entries[index]
      let range = entry.start..<(entry.start + size(at: index))
      entry.start = next.bytes.count
      next.bytes.append(contentsOf: bytes[range])
      next.entries.append(entry)
    }
    self = next
  }

  func category(at index: Int) -> ArraySlice<UInt8> {
    let entry = entries[index]
    return bytes[entry.start..<(entry.start + Int(entry.category))]
  }

  func message(at index: Int) -> ArraySlice<UInt8> {
    let entry = entries[index]
    let start = entry.start + Int(entry.category)
    return bytes[start..<(start + Int(entry.message))]
  }

  func isCut(at index: Int) -> Bool { entries[index].isCut }

  /// Returns every key and value, in order.
  func data(at index: Int) -> [(key: String, value: CrumbValue)] {
    let entry = entries[index]
    guard entry.data > 0 else { return [] }
    let start = entry.start + Int(entry.category) + Int(entry.message)
    return bytes[start..<(start + Int(entry.data))].withUnsafeBytes { data in
      EventData(bytes: data).compactMap { name, value in
        value.decoded.map { (String(decoding: name, as: UTF8.self), $0) }
      }
    }
  }
}
