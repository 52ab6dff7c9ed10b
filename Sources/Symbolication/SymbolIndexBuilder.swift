import CDwarf

/// Flattens the tables of a module into an index.
struct SymbolIndexBuilder {
  private let tables: ms_tables
  private let base: UInt64
  private var lines = RunList<SymbolIndex.Line>(gap: .none)
  private var spans = RunList<UInt32>(gap: .max)
  private var symbolStarts: [UInt32] = []
  private var symbols: [SymbolIndex.Symbol] = []

  /// Reads a module's file and makes its index.
  static func index(
    of file: RegularFile, buildID: [UInt8], richness: UInt32
  ) throws(ModuleStatus) -> SymbolIndex {
    var tables = ms_tables()
    defer { ms_tables_free(&tables) }
    switch ms_tables_read(file.descriptor, &tables) {
    case MS_TABLES_READ: break
    case MS_TABLES_TOO_LARGE: throw .unreadable(reason: "its symbols pass the bounds")
    default: throw .unreadable(reason: "no executable or shared object")
    }
    var builder = SymbolIndexBuilder(tables)
    builder.addSymbols()
    builder.addUnits()
    guard let index = SymbolIndex(builder.storage(buildID: buildID, richness: richness)) else {
      throw .unreadable(reason: "its symbols pass the bounds")
    }
    return index
  }

  private init(_ tables: ms_tables) {
    self.tables = tables
    base = tables.text_low
  }

  private func start(_ address: UInt64) -> UInt32 {
    address < base ? 0 : UInt32(clamping: address - base)
  }

  // MARK: Symbols

  private mutating func addSymbols() {
    let all = UnsafeBufferPointer(start: tables.symbols, count: tables.symbol_count)
    var order = all.indices.map { UInt64(start(all[$0].address)) << 32 | UInt64($0) }
    sortByUpperHalf(&order)
    var best: ms_symbol?
    for (position, key) in order.enumerated() {
      let symbol = all[Int(key & 0xffff_ffff)]
      // Of several at one address the largest counts, of equals the last.
      if symbol.size >= best?.size ?? 0 { best = symbol }
      let isLastHere = position + 1 == order.count || order[position + 1] >> 32 != key >> 32
      guard isLastHere, let chosen = best else { continue }
      best = nil
      let reach = chosen.size > 0 ? chosen.size : chosen.section_end &- chosen.address
      symbolStarts.append(UInt32(key >> 32))
      symbols.append(.init(size: UInt32(clamping: reach), name: chosen.name))
    }
  }

  // MARK: Debug information

  private mutating func addUnits() {
    let units = UnsafeBufferPointer(start: tables.units, count: tables.unit_count)
    let scopeSpans = innermostScopes(of: units)
    for owned in ownersOverEach(claims(of: units), unitCount: units.count) {
      let unit = Int(owned.owner)
      addLines(over: owned, rows: units[unit].rows_begin..<units[unit].rows_end)
      addScopes(over: owned, from: scopeSpans[unit])
    }
    lines.finish()
    spans.finish()
  }

  private func claims(of units: UnsafeBufferPointer<ms_unit>) -> [Span] {
    var claims: [Span] = []
    claims.reserveCapacity(tables.range_count)
    var next = 0
    for (unit, end) in units.lazy.map(\.ranges_end).enumerated() {
      for index in next..<end {
        let range = tables.ranges[index]
        claims.append(
          Span(low: start(range.low), high: start(range.high), owner: UInt32(unit)))
      }
      next = end
    }
    return claims
  }

  /// For each unit the innermost scope over each of its addresses.
  private func innermostScopes(of units: UnsafeBufferPointer<ms_unit>) -> [[Span]] {
    var next = 0
    return units.map { unit in
      defer { next = unit.scope_ranges_end }
      let spans = (next..<unit.scope_ranges_end).map { index in
        let range = tables.scope_ranges[index]
        return Span(low: start(range.low), high: start(range.high), owner: range.scope)
      }
      return lastOverEach(spans[...])
    }
  }

  private mutating func addLines(over owned: Span, rows: Range<Int>) {
    guard rows.count > 1 else { return }
    let all = tables.rows!
    let after = rows.partitioningIndex { start(all[$0].address) > owned.low }
    var index = max(after - 1, rows.lowerBound)
    while index + 1 < rows.upperBound, start(all[index].address) < owned.high {
      let row = all[index]
      if row.ends_sequence == 0 {
        lines.append(
          .init(file: row.file, line: row.line, column: row.column),
          from: max(start(row.address), owned.low),
          to: min(start(all[index + 1].address), owned.high))
      }
      index += 1
    }
  }

  private mutating func addScopes(over owned: Span, from scopes: [Span]) {
    var index = scopes.partitioningIndex { $0.high > owned.low }
    while index < scopes.count, scopes[index].low < owned.high {
      let scope = scopes[index]
      spans.append(scope.owner, from: max(scope.low, owned.low), to: min(scope.high, owned.high))
      index += 1
    }
  }

  // MARK: The block

  private func storage(buildID: [UInt8], richness: UInt32) -> IndexStorage {
    var header = SymbolIndex.Header()
    header.base = base
    header.richness = richness
    header.unitCount = UInt32(tables.unit_count)
    header.lineCount = UInt32(lines.starts.count)
    header.spanCount = UInt32(spans.starts.count)
    header.scopeCount = UInt32(tables.scope_count)
    header.symbolCount = UInt32(symbols.count)
    header.stringBytes = UInt32(tables.string_bytes)
    header.buildIDBytes = UInt32(buildID.count)
    header.textCount = UInt32(tables.text_count)
    var writer = BlockWriter(header)
    writer.append(lines.starts)
    writer.append(lines.values)
    writer.append(spans.starts)
    writer.append(spans.values)
    writer.append(UnsafeBufferPointer(start: tables.scopes, count: tables.scope_count))
    writer.append(symbolStarts)
    writer.append(symbols)
    writer.append(UnsafeBufferPointer(start: tables.text_starts, count: tables.text_count))
    writer.append(repeatElement(UInt32.max, count: tables.text_count))
    writer.append(UnsafeBufferPointer(start: tables.strings, count: tables.string_bytes))
    writer.append(buildID)
    return writer.finish()
  }
}

extension Collection where Index == Int {
  /// The first index whose element, and all after it, satisfy a condition. O(log n).
  func partitioningIndex(where isInSecondPart: (Element) -> Bool) -> Int {
    var low = startIndex
    var high = endIndex
    while low < high {
      let middle = low + (high - low) / 2
      if isInSecondPart(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
