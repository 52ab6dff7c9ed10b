/// Interned texts, numbered from 1, so that a trace contains each text once.
struct TextTable {
  private struct Entry {
    var hash: Int
    var start: Int
    var count: Int
  }

  private var entries: [Entry] = []
  private var texts: [UInt8] = []
  /// Indices into `entries`, from 1; 0 for an empty slot.
  private var slots = [UInt32](repeating: 0, count: TextTable.slotCount)

  private static let slotCount = 1 << 15
  private static let mostEntries = 1 << 14
  private static let mostBytes = 1 << 22

  /// True if the table has reached its limit and must be cleared.
  var isFull: Bool { entries.count >= Self.mostEntries || texts.count >= Self.mostBytes }

  mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    texts.removeAll(keepingCapacity: true)
    for index in slots.indices { slots[index] = 0 }
  }

  /// Returns the text's number, and whether the text is new.
  mutating func number(of text: UnsafeRawBufferPointer) -> (number: UInt64, isNew: Bool) {
    var hasher = Hasher()
    hasher.combine(bytes: text)
    let hash = hasher.finalize()
    var slot = hash & (Self.slotCount - 1)
    while slots[slot] != 0 {
      let entry = entries[Int(slots[slot]) - 1]
      if entry.hash == hash, isEqual(entry, text) { return (UInt64(slots[slot]), false) }
      slot = (slot + 1) & (Self.slotCount - 1)
    }
    entries.append(Entry(hash: hash, start: texts.count, count: text.count))
    texts.append(contentsOf: text)
    slots[slot] = UInt32(entries.count)
    return (UInt64(entries.count), true)
  }

  private func isEqual(_ entry: Entry, _ text: UnsafeRawBufferPointer) -> Bool {
    entry.count == text.count
      && texts[entry.start..<entry.start + entry.count].elementsEqual(text)
  }
}
