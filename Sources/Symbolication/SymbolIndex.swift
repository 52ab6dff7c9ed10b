/// Answers what stands at an address of a module, from one flat block of memory.
///
/// The block is the same in memory and in the cache. Nothing in it is trusted: every place is
/// checked before it is followed, so that a damaged block gives wrong answers at worst.
struct SymbolIndex {
  /// What the block begins with.
  struct Header: BitwiseCopyable {
    var magic: UInt64 = Header.expectedMagic
    var checksum: UInt64 = 0
    var byteCount: UInt64 = 0
    /// The address that all starts are counted from.
    var base: UInt64 = 0
    /// How much the file said that the index was made from (`ModuleFacts.richness`).
    var richness: UInt32 = 0
    var unitCount: UInt32 = 0
    var buildIDBytes: UInt32 = 0
    var lineCount: UInt32 = 0
    var spanCount: UInt32 = 0
    var scopeCount: UInt32 = 0
    var symbolCount: UInt32 = 0
    var stringBytes: UInt32 = 0

    /// Where the checked part begins: after the magic and the checksum itself.
    static let checkedFrom = 16
    /// The last character is the version of the layout and of the rules that fill it.
    static let expectedMagic = UInt64(littleEndian: 0x3149_5953_5f4d_534d)
  }

  /// A place in a source file.
  struct Line: BitwiseCopyable, Equatable {
    var file: UInt32
    var line: UInt32
    var column: UInt32
    static let none = Line(file: .max, line: 0, column: 0)
  }

  /// A function, or one inlined into its parent.
  struct Scope: BitwiseCopyable {
    var name: UInt32
    var parent: UInt32
    var call: Line
  }

  /// A symbol's reach from its start, and its name.
  struct Symbol: BitwiseCopyable {
    var size: UInt32
    var name: UInt32
  }

  private let storage: IndexStorage
  let header: Header
  private let lineStarts: FlatArray<UInt32>
  private let lines: FlatArray<Line>
  private let spanStarts: FlatArray<UInt32>
  private let spanScopes: FlatArray<UInt32>
  private let scopes: FlatArray<Scope>
  private let symbolStarts: FlatArray<UInt32>
  private let symbols: FlatArray<Symbol>
  let buildID: FlatArray<UInt8>
  private let strings: FlatArray<UInt8>

  /// Takes a block apart; nil when its parts do not fill it exactly.
  init?(_ storage: IndexStorage) {
    guard storage.bytes.count >= MemoryLayout<Header>.size else { return nil }
    let header = storage.bytes.loadUnaligned(as: Header.self)
    var cutter = Cutter(bytes: storage.bytes, at: MemoryLayout<Header>.size)
    guard header.magic == Header.expectedMagic,
      let lineStarts = cutter.cut(UInt32.self, header.lineCount),
      let lines = cutter.cut(Line.self, header.lineCount),
      let spanStarts = cutter.cut(UInt32.self, header.spanCount),
      let spanScopes = cutter.cut(UInt32.self, header.spanCount),
      let scopes = cutter.cut(Scope.self, header.scopeCount),
      let symbolStarts = cutter.cut(UInt32.self, header.symbolCount),
      let symbols = cutter.cut(Symbol.self, header.symbolCount),
      let strings = cutter.cut(UInt8.self, header.stringBytes),
      let buildID = cutter.cut(UInt8.self, header.buildIDBytes),
      cutter.at == storage.bytes.count, header.stringBytes > 0,
      strings[strings.count - 1] == 0
    else { return nil }
    self.storage = storage
    self.header = header
    self.lineStarts = lineStarts
    self.lines = lines
    self.spanStarts = spanStarts
    self.spanScopes = spanScopes
    self.scopes = scopes
    self.symbolStarts = symbolStarts
    self.symbols = symbols
    self.buildID = buildID
    self.strings = strings
  }

  /// The whole block.
  var bytes: UnsafeRawBufferPointer { storage.bytes }

  /// The runs of the three tables that an address falls into. All that the index knows of an address
  /// depends on them alone.
  struct Place: Hashable {
    var line: Int32
    var span: Int32
    var symbol: Int32
  }

  /// Where an address of the file falls; nil when it lies outside the tables. O(log n).
  func place(of address: UInt64) -> Place? {
    guard address >= header.base, let start = UInt32(exactly: address - header.base) else {
      return nil
    }
    return Place(
      line: lineStarts.lastIndex(notAfter: start), span: spanStarts.lastIndex(notAfter: start),
      symbol: symbolIndex(at: start))
  }

  private func symbolIndex(at start: UInt32) -> Int32 {
    let index = symbolStarts.lastIndex(notAfter: start)
    guard index >= 0 else { return -1 }
    return start - symbolStarts[Int(index)] < symbols[Int(index)].size ? index : -1
  }

  func line(at place: Place) -> Line? {
    guard place.line >= 0 else { return nil }
    let line = lines[Int(place.line)]
    return line == .none ? nil : line
  }

  func symbolName(at place: Place) -> UInt32? {
    place.symbol < 0 ? nil : symbols[Int(place.symbol)].name
  }

  /// The scopes at a place, innermost first; a parent stands before its children in the table,
  /// which ends every chain.
  func scopes(at place: Place) -> [Scope] {
    guard place.span >= 0 else { return [] }
    var chain: [Scope] = []
    var next = spanScopes[Int(place.span)]
    var limit = UInt32(scopes.count)
    while next < limit {
      let scope = scopes[Int(next)]
      chain.append(scope)
      (next, limit) = (scope.parent, next)
    }
    return chain
  }

  /// The C string at an offset of the pool; nil where there is none.
  func withCString<Result>(at offset: UInt32, _ body: (UnsafePointer<CChar>) -> Result) -> Result? {
    guard Int(offset) < strings.count else { return nil }
    return body(strings.address(of: Int(offset)).assumingMemoryBound(to: CChar.self))
  }

  func string(at offset: UInt32) -> String? { withCString(at: offset) { String(cString: $0) } }
}
