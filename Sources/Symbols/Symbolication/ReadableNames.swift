/// How the names of an index read, as far as that was asked for: a block beside the index's own,
/// since names are learned when the index has long been written.
struct ReadableNames {
  struct Header: BlockHeader {
    var magic: UInt64 = Header.expectedMagic
    var checksum: UInt64 = 0
    var byteCount: UInt64 = 0
    /// The checksum of the index whose texts these are.
    var index: UInt64 = 0
    var count: UInt32 = 0
    var stringBytes: UInt32 = 0

    /// "MSM_SYN1": the last character is the version of the layout and of how names are made readable.
    static let expectedMagic = UInt64(littleEndian: 0x314e_5953_5f4d_534d)
  }

  private let storage: IndexStorage
  private let texts: TextTable

  /// Takes a block apart; nil when it is damaged, or another index's.
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

  /// How the name of a number reads; nil if that was not asked for yet.
  subscript(number: UInt32) -> String? { texts[number] }

  var count: Int { (0..<UInt32(texts.count)).count { !texts.bytes(of: $0).isEmpty } }

  /// A block with the known names and those learned since.
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
