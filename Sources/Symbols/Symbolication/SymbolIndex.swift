/// Finds the symbol, line and inlined functions at an address of a module, in one flat block of memory.
///
/// The layout is the same in memory and in the cache. The block is not trusted: every index is checked before
/// use, so that a damaged block at worst yields wrong results.
struct SymbolIndex {
  /// The header of the block.
  struct Header: BlockHeader {
    var magic: UInt64 = Header.expectedMagic
    var checksum: UInt64 = 0
    var byteCount: UInt64 = 0
    /// The address to which all starts are relative.
    var base: UInt64 = 0
    /// The richness of the file from which the index was built (`ModuleFacts.richness`).
    var richness: UInt32 = 0
    var unitCount: UInt32 = 0
    var lineCount: UInt32 = 0
    var spanCount: UInt32 = 0
    var scopeCount: UInt32 = 0
    var symbolCount: UInt32 = 0
    var textCount: UInt32 = 0
    var stringBytes: UInt32 = 0
    var buildIDBytes: UInt32 = 0
    var unused: UInt32 = 0

    /// "MSM_SYI4": the last character is the version of the layout and of the rules that fill it.
    static let expectedMagic = UInt64(littleEndian: 0x3449_5953_5f4d_534d)
  }

  /// A position in a source file; the file is the index of a text.
  struct Line: BitwiseCopyable, Equatable {
    var file: UInt32
    var line: UInt32
    var column: UInt32
    static let none = Line(file: .max, line: 0, column: 0)

    @inline(__always) static func == (left: Line, right: Line) -> Bool {
      left.line == right.line && left.file == right.file && left.column == right.column
    }
  }

  /// A function, or a function inlined into its parent; the name is the index of a text.
  struct Scope: BitwiseCopyable {
    var name: UInt32
    var parent: UInt32
    var call: Line
  }

  /// The size and the name of a symbol.
  struct Symbol: BitwiseCopyable {
    var size: UInt32
    var name: UInt32
  }

  /// The owner of the memory of all tables.
  let storage: IndexStorage
  let header: Header
  let tables: SymbolTables
  let texts: TextTable
  let buildID: FlatArray<UInt8>

  /// Parses a block; nil if the block is damaged, or its parts do not fill it exactly.
  init?(_ storage: IndexStorage) {
    guard let header = Header.read(from: storage) else { return nil }
    self.init(storage, header)
  }

  /// Parses a block that is known to be intact.
  init?(_ storage: IndexStorage, _ header: Header) {
    var cutter = TableReader(bytes: storage.bytes, at: MemoryLayout<Header>.size)
    guard let tables = SymbolTables(header, &cutter),
      let texts = TextTable(&cutter, count: header.textCount, byteCount: header.stringBytes),
      let buildID = cutter.cut(UInt8.self, header.buildIDBytes), cutter.at == storage.bytes.count
    else { return nil }
    self.storage = storage
    self.header = header
    self.tables = tables
    self.texts = texts
    self.buildID = buildID
  }
}
