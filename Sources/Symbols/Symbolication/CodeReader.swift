import IncidentModel

/// Reads the frames at the addresses of one module from its index.
struct CodeReader {
  /// The index, which keeps the tables alive.
  let index: SymbolIndex
  private let tables: SymbolTables
  private var texts: Texts
  private var recent = Recent()
  private var hint = SymbolTables.LookupHint()
  /// The number of learned names that have been saved.
  private var kept = 0

  init(_ index: SymbolIndex, names: ReadableNames?) {
    self.index = index
    tables = index.tables
    texts = Texts(of: index, names: names)
  }

  /// The functions at an address, innermost first; empty if unknown.
  mutating func frames(at address: FrameAddress, bias: UInt64) -> [SourceFrame] {
    guard let place = place(of: address, bias) else { return [] }
    if let known = recent[place] { return known }
    let frames = frames(at: place)
    recent.keep(frames, for: place)
    return frames
  }

  /// The functions at each of many addresses, in the same order.
  mutating func frames(at addresses: [FrameAddress], bias: UInt64) -> [[SourceFrame]] {
    // Callers look up many addresses in order, or each address once, so only the last result is cached.
    var last = SymbolTables.Place.unknown
    var frames: [SourceFrame] = []
    return addresses.map { address in
      let place = place(of: address, bias) ?? .unknown
      if place != last { (last, frames) = (place, self.frames(at: place)) }
      return frames
    }
  }

  @inline(__always)
  private mutating func place(
    of address: FrameAddress, _ bias: UInt64
  ) -> SymbolTables.Place? {
    guard address.lookup >= bias else { return nil }
    return address.isAsyncCaller
      ? tables.placeOfResumption(at: address.lookup - bias, near: &hint)
      : tables.place(of: address.lookup - bias, near: &hint)
  }

  private mutating func frames(at place: SymbolTables.Place) -> [SourceFrame] {
    let depth = tables.depth(of: place.scope)
    guard depth > 0 || place.symbol != .max || place.line != .none else { return [] }
    var frames = Self.unknown(max(depth, 1))
    frames.withUnsafeMutableBufferPointer { frames in
      var (line, number, name) = (place.line, place.scope, UInt32.max)
      var index = 0
      while let scope = tables.scope(number, below: .max) {
        name = scope.name
        guard tables.scope(scope.parent, below: number) != nil else { break }
        write(name, line, isInlined: true, to: &frames[index])
        index += 1
        (line, number) = (scope.call, scope.parent)
      }
      // The symbol identifies the copy of a function; the debug entry may name the original.
      if place.symbol != .max { name = place.symbol }
      write(name, line, isInlined: false, to: &frames[index])
    }
    return frames
  }

  /// An array of unknown frames. The storage type of a literal is known at compile time: a lookup of the type
  /// for each array would take as long as filling the array.
  private static func unknown(_ count: Int) -> [SourceFrame] {
    switch count {
    case 1: [.unknown]
    case 2: [.unknown, .unknown]
    case 3: [.unknown, .unknown, .unknown]
    case 4: [.unknown, .unknown, .unknown, .unknown]
    default: Array(repeating: .unknown, count: count)
    }
  }

  /// Writes a frame into its array, field by field, because a temporary frame with its references would cost
  /// more than the lookup.
  private mutating func write(
    _ name: UInt32, _ line: SymbolIndex.Line, isInlined: Bool, to frame: inout SourceFrame
  ) {
    if let (original, readable) = texts.name(name) {
      frame.function = readable
      frame.mangledName = original
    }
    frame.file = texts.original(line.file)
    if line.line != 0 { frame.line = Int(line.line) }
    if line.column != 0 { frame.column = Int(line.column) }
    frame.isInlined = isInlined
  }
}

// MARK: Learning

extension CodeReader {
  /// The number of names that were demangled but not saved yet.
  var learned: Int { texts.learned.count - kept }

  /// The block of all readable names known so far.
  func namesBlock() -> IndexStorage { texts.namesBlock() }

  /// Marks the names learned so far as saved.
  mutating func forgetLearning() { kept = texts.learned.count }
}

/// A bounded cache of results: the addresses of a log repeat.
private struct Recent {
  private static let slots = 1024
  private var places = [SymbolTables.Place](repeating: .unknown, count: slots)
  private var answers = [[SourceFrame]](repeating: [], count: slots)

  private func slot(of place: SymbolTables.Place) -> Int {
    let mixed =
      (place.line.line &* 0x9e37_79b9) ^ (place.line.column &* 0x85eb_ca6b)
      ^ (place.scope &* 0xc2b2_ae35) ^ (place.symbol &* 0x27d4_eb2f)
    return Int(mixed >> 22)
  }

  subscript(place: SymbolTables.Place) -> [SourceFrame]? {
    let slot = slot(of: place)
    return places[slot] == place ? answers[slot] : nil
  }

  mutating func keep(_ frames: [SourceFrame], for place: SymbolTables.Place) {
    let slot = slot(of: place)
    places[slot] = place
    answers[slot] = frames
  }
}
