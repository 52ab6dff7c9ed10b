/// The readable names of an index that are known so far, in a block of their own: names are demangled long
/// after the index has been written.
struct ReadableNames {
  struct Header: BlockHeader {
    var magic: UInt64 = Header.expectedMagic
    var checksum: UInt64 = 0
    var byteCount: UInt64 = 0
    /// The checksum of the index to which the names belong.
    var index: UInt64 = 0
    var count: UInt32 = 0
    var stringBytes: UInt32 = 0

    /// "MSM_SYN1": the last character is the version of the layout and of the demangling rules.
    static let expectedMagic = UInt64(littleEndian: 0x314e_5953_5f4d_534d)
  }

  private let storage: IndexStorage
  private let texts: TextTable

  /// Parses a block; nil if the block is damaged or belongs to another index.
  init?(_ storage: IndexStorage, of index: SymbolIndex) {
    guard let header = Header.read(from: storage), header.index == index.header.checksum else {
      return nil
    }
    var cutter = TableReader(bytes: storage.bytes, at: MemoryLayout<Header>.size)
    guard let texts = TextTable(&cutter, count: header.count, byteCount: header.stringBytes),
      cutter.at == storage.bytes.count, texts.count == index.texts.count
    else { return nil }
    self.storage = storage
    self.texts = texts
  }

  /// The readable name with this number; nil if the name has not been demangled yet.
  subscript(number: UInt32) -> String? { texts[number] }

  var count: Int { (0..<UInt32(texts.count)).count { !texts.bytes(of: $0).isEmpty } }

  /// Returns a block with the known names and those learned since.
  static func block(
    of index: SymbolIndex, known: ReadableNames?, learned: [UInt32: String]
  ) -> IndexStorage {
    var starts: [UInt32] = []
    starts.reserveCapacity(index.texts.count)
    var bytes: [UInt8] = []
    for number in 0..<UInt32(index.texts.count) {
      starts.append(UInt32(clamping: bytes.count))
      if let text = learned[number] {
        bytes.append(contentsOf: text.utf8)
        bytes.append(0)
      } else if let known {
        bytes.append(contentsOf: known.texts.bytes(of: number))
      }
    }
    var header = Header()
    header.index = index.header.checksum
    header.count = UInt32(starts.count)
    header.stringBytes = UInt32(clamping: bytes.count)
    var writer = BlockWriter(
      headerSize: MemoryLayout<Header>.size, byteCount: starts.count * 4 + bytes.count)
    writer.append(starts)
    writer.append(bytes)
    return writer.finish(header)
  }
}
