/// Iterates over the notes of a `PT_NOTE` segment; stops at the first note that exceeds the bytes.
struct ELFNotes: Sequence, IteratorProtocol {
  struct Note {
    var type: UInt32
    var name: String
    var content: ArraySlice<UInt8>
    /// The offset of the note from the first byte of the segment.
    var offset: Int
  }

  private var rest: ArraySlice<UInt8>

  init(_ bytes: some Sequence<UInt8>) { rest = Array(bytes)[...] }

  /// The offset of the note that `next` could not read; nil if all bytes were read.
  var unread: Int? { rest.isEmpty ? nil : rest.startIndex }

  mutating func next() -> Note? {
    guard rest.count >= 12 else { return nil }
    let words = (0..<3).map { word in
      (0..<4).reduce(UInt32(0)) {
        $0 | UInt32(rest[rest.startIndex + word * 4 + $1]) << UInt32($1 * 8)
      }
    }
    let nameEnd = 12 + Self.padded(words[0])
    let end = nameEnd + Self.padded(words[1])
    guard end <= rest.count else { return nil }
    let start = rest.startIndex
    let name = rest[start + 12..<start + 12 + Int(words[0])].prefix { $0 != 0 }
    let content = rest[start + nameEnd..<start + nameEnd + Int(words[1])]
    rest = rest[(start + end)...]
    return Note(
      type: words[2], name: String(decoding: name, as: UTF8.self), content: content, offset: start)
  }

  private static func padded(_ size: UInt32) -> Int { (Int(size) + 3) & ~3 }
}
