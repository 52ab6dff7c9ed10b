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

  /// The start that an address of the file has in the tables; nil when it lies outside them.
  func start(of address: UInt64) -> UInt32? {
    address >= header.base ? UInt32(exactly: address - header.base) : nil
  }

  func line(at start: UInt32) -> Line? {
    guard let index = lineStarts.lastIndex(notAfter: start), lines[index] != .none else {
      return nil
    }
    return lines[index]
  }

  /// The scopes at an address, innermost first; a parent stands before its children in the table,
  /// which ends every chain.
  func scopes(at start: UInt32) -> [Scope] {
    guard let index = spanStarts.lastIndex(notAfter: start) else { return [] }
    var chain: [Scope] = []
    var next = spanScopes[index]
    var limit = UInt32(scopes.count)
    while next < limit {
      let scope = scopes[Int(next)]
      chain.append(scope)
      (next, limit) = (scope.parent, next)
    }
    return chain
  }

  func symbolName(at start: UInt32) -> UInt32? {
    guard let index = symbolStarts.lastIndex(notAfter: start) else { return nil }
    let symbol = symbols[index]
    return start - symbolStarts[index] < symbol.size ? symbol.name : nil
  }

  /// The C string at a place of the pool; nil where there is none.
  func withCString<Result>(at place: UInt32, _ body: (UnsafePointer<CChar>) -> Result) -> Result? {
    guard Int(place) < strings.count else { return nil }
    return body(strings.address(of: Int(place)).assumingMemoryBound(to: CChar.self))
  }

  func string(at place: UInt32) -> String? { withCString(at: place) { String(cString: $0) } }
}
