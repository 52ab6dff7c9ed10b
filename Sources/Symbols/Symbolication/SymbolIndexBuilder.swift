import CSymbols
import IncidentModel

/// Builds an index from the tables of a module.
struct SymbolIndexBuilder {
  private let tables: ms_tables
  private let lines: RunList<SymbolIndex.Line>
  private let spans: RunList<UInt32>

  /// Reads a module's file and builds its index.
  static func index(
    of file: RegularFile, buildID: [UInt8], richness: UInt32
  ) throws(ModuleStatus) -> SymbolIndex {
    var tables = ms_tables()
    defer { ms_tables_free(&tables) }
    switch ms_tables_read(file.descriptor, &tables) {
    case MS_TABLES_READ: break
    case MS_TABLES_TOO_LARGE: throw .unreadable(reason: "the symbols of the file exceed the limits")
    default: throw .unreadable(reason: "not an executable or shared library")
    }
    let builder = SymbolIndexBuilder(tables)
    let storage = builder.storage(buildID: buildID, richness: richness)
    let header = storage.bytes.loadUnaligned(as: SymbolIndex.Header.self)
    guard let index = SymbolIndex(storage, header) else {
      throw .unreadable(reason: "the symbols of the file exceed the limits")
    }
    return index
  }

  private init(_ tables: ms_tables) {
    self.tables = tables
    let units = UnsafeBufferPointer(start: tables.units, count: tables.unit_count)
    let owned = ownersOverEach(Self.claims(of: units, tables), unitCount: units.count)
    let scopes = Self.innermostScopes(of: units, tables)
    // A row or span is split where the owner changes, and a gap may follow each part.
    lines = RunList(gap: .none, capacity: tables.row_count + 2 * owned.count + 1)
    spans = RunList(
      gap: .max, capacity: 2 * (scopes.reduce(0) { $0 + $1.count } + owned.count) + 1)
    for owned in owned {
      let unit = Int(owned.owner)
      addLines(over: owned, rows: units[unit].rows_begin..<units[unit].rows_end)
      addScopes(over: owned, from: scopes[unit])
    }
    lines.finish()
    spans.finish()
  }

  private static func claims(
    of units: UnsafeBufferPointer<ms_unit>, _ tables: ms_tables
  ) -> [Span] {
    var claims: [Span] = []
    claims.reserveCapacity(tables.range_count)
    var next = 0
    for (unit, end) in units.lazy.map(\.ranges_end).enumerated() {
      for index in next..<end {
        let range = tables.ranges[index]
        claims.append(
          Span(low: range.low, high: range.high, owner: UInt32(unit)))
      }
      next = end
    }
    return claims
  }

  /// Returns for each unit the innermost scope at each address of the unit.
  private static func innermostScopes(
    of units: UnsafeBufferPointer<ms_unit>, _ tables: ms_tables
  ) -> [[Span]] {
    var next = 0
    return units.map { unit in
      defer { next = unit.scope_ranges_end }
      let spans = (next..<unit.scope_ranges_end).map { index in
        let range = tables.scope_ranges[index]
        return Span(low: range.low, high: range.high, owner: range.scope)
      }
      return lastOverEach(spans[...])
    }
  }

  private func addLines(over owned: Span, rows: Range<Int>) {
    guard rows.count > 1 else { return }
    let all = UnsafeBufferPointer(start: tables.rows, count: tables.row_count)
    let after = rows.partitioningIndex { all[$0].start > owned.low }
    var index = max(after - 1, rows.lowerBound)
    while index + 1 < rows.upperBound, all[index].start < owned.high {
      let row = all[index]
      let line = SymbolIndex.Line(file: row.file, line: row.line, column: row.column)
      if line != .none {
        lines.append(
          line, from: max(row.start, owned.low), to: min(all[index + 1].start, owned.high))
      }
      index += 1
    }
  }

  private func addScopes(over owned: Span, from scopes: [Span]) {
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
    header.base = tables.text_low
    header.richness = richness
    header.unitCount = UInt32(tables.unit_count)
    header.lineCount = UInt32(lines.count)
    header.spanCount = UInt32(spans.count)
    header.scopeCount = UInt32(tables.scope_count)
    header.symbolCount = UInt32(tables.symbol_count)
    header.stringBytes = UInt32(tables.string_bytes)
    header.buildIDBytes = UInt32(buildID.count)
    header.textCount = UInt32(tables.text_count)
    let scopes = UnsafeBufferPointer(start: tables.scopes, count: tables.scope_count)
    let tableBytes =
      lines.count * 16 + spans.count * 8 + scopes.count * 20 + tables.symbol_count * 12
      + tables.text_count * 4 + tables.string_bytes + buildID.count
    var writer = BlockWriter(
      headerSize: MemoryLayout<SymbolIndex.Header>.size, byteCount: tableBytes)
    writer.append(lines.starts)
    writer.append(lines.values)
    writer.append(spans.starts)
    writer.append(spans.values)
    writer.append(scopes)
    writer.append(UnsafeBufferPointer(start: tables.symbol_starts, count: tables.symbol_count))
    writer.append(UnsafeBufferPointer(start: tables.symbols, count: tables.symbol_count))
    writer.append(UnsafeBufferPointer(start: tables.text_starts, count: tables.text_count))
    writer.append(UnsafeBufferPointer(start: tables.strings, count: tables.string_bytes))
    writer.append(buildID)
    return writer.finish(header)
  }
}
