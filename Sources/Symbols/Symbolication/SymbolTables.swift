/// The tables of an index, which map addresses to symbols, lines and scopes.
struct SymbolTables {
  typealias Line = SymbolIndex.Line
  typealias Scope = SymbolIndex.Scope

  private let base: UInt64
  private let lineStarts: FlatArray<UInt32>
  private let lines: FlatArray<Line>
  private let spanStarts: FlatArray<UInt32>
  private let spanScopes: FlatArray<UInt32>
  private let scopes: FlatArray<Scope>
  private let symbolStarts: FlatArray<UInt32>
  private let symbols: FlatArray<SymbolIndex.Symbol>

  init?(_ header: SymbolIndex.Header, _ cutter: inout TableReader) {
    guard let lineStarts = cutter.cut(UInt32.self, header.lineCount),
      let lines = cutter.cut(Line.self, header.lineCount),
      let spanStarts = cutter.cut(UInt32.self, header.spanCount),
      let spanScopes = cutter.cut(UInt32.self, header.spanCount),
      let scopes = cutter.cut(Scope.self, header.scopeCount),
      let symbolStarts = cutter.cut(UInt32.self, header.symbolCount),
      let symbols = cutter.cut(SymbolIndex.Symbol.self, header.symbolCount)
    else { return nil }
    base = header.base
    self.lineStarts = lineStarts
    self.lines = lines
    self.spanStarts = spanStarts
    self.spanScopes = spanScopes
    self.scopes = scopes
    self.symbolStarts = symbolStarts
    self.symbols = symbols
  }

  /// The line, scope and symbol of an address; many addresses share a place.
  struct Place: Equatable {
    /// The line; `Line.none` if unknown.
    var line: Line
    /// The number of the innermost scope; an invalid number if there is no scope.
    var scope: UInt32
    /// The number of the symbol's name; an invalid number if there is no symbol.
    var symbol: UInt32

    // The synthesized comparison is not inlined, and every lookup compares places.
    @inline(__always) static func == (left: Place, right: Place) -> Bool {
      left.scope == right.scope && left.symbol == right.symbol && left.line == right.line
    }

    /// The place of an unknown address.
    static let unknown = Place(line: .none, scope: .max, symbol: .max)
  }

  /// The position of the last address in each table.
  struct LookupHint {
    fileprivate var line = -1
    fileprivate var span = -1
    fileprivate var symbol = -1
  }

  /// The place of an address of the file; nil if it is outside the tables. O(log n).
  func place(of address: UInt64, near hint: inout LookupHint) -> Place? {
    guard address >= base, let start = UInt32(exactly: address - base) else {
      return nil
    }
    let line = lineStarts.lastIndex(notAfter: start, near: &hint.line)
    let span = spanStarts.lastIndex(notAfter: start, near: &hint.span)
    let symbol = symbolStarts.lastIndex(notAfter: start, near: &hint.symbol)
    let isCovered = symbol >= 0 && start - symbolStarts[symbol] < symbols[symbol].size
    return Place(
      line: line < 0 ? .none : lines[line], scope: span < 0 ? .max : spanScopes[span],
      symbol: isCovered ? symbols[symbol].name : .max)
  }

  /// The place at which an async function resumes at an address: the line of the `await`, in a build
  /// in which the first instructions have the line of the function and no column. O(log n).
  func placeOfResumption(at address: UInt64, near hint: inout LookupHint) -> Place? {
    guard var place = place(of: address, near: &hint) else { return nil }
    let start = UInt32(truncatingIfNeeded: address - base)
    guard place.line.column == 0, hint.symbol >= 0, symbolStarts[hint.symbol] == start else {
      return place
    }
    let size = symbols[hint.symbol].size
    var next = hint.line + 1
    while next < lineStarts.count, lineStarts[next] - start < size {
      if lines[next].column > 0, lines[next].file == place.line.file {
        var span = hint.span
        let scope = spanStarts.lastIndex(notAfter: lineStarts[next], near: &span)
        if scope >= 0, spanScopes[scope] == place.scope { place.line = lines[next] }
        break
      }
      next += 1
    }
    return place
  }

  /// A scope, if its number is below the limit. A parent precedes its children: with the child's number as the
  /// limit, every chain ends.
  func scope(_ number: UInt32, below limit: UInt32) -> Scope? {
    number < limit && number < scopes.count ? scopes[Int(number)] : nil
  }

  /// The number of scopes in the chain from this scope outward.
  func depth(of number: UInt32) -> Int {
    var depth = 0
    var (next, limit) = (number, UInt32.max)
    while let scope = scope(next, below: limit) {
      depth += 1
      (next, limit) = (scope.parent, next)
    }
    return depth
  }
}
