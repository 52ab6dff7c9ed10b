import IncidentModel

/// Reads the frames at the addresses of one module from its index.
struct CodeReader {
  /// Keeps the tables alive.
  let index: SymbolIndex
  private let tables: SymbolTables
  private var texts: Texts
  private var recent = Recent()
  private var finger = SymbolTables.Finger()
  /// How many of the names that were learned are kept.
  private var kept = 0

  init(_ index: SymbolIndex, names: ReadableNames?) {
    self.index = index
    tables = index.tables
    texts = Texts(of: index, names: names)
  }

  /// The functions at an address, innermost first; empty where nothing is known.
  mutating func frames(at address: FrameAddress, bias: UInt64) -> [SourceFrame] {
    guard address.lookup >= bias,
      let place = tables.place(of: address.lookup - bias, near: &finger)
    else { return [] }
    if let known = recent[place] { return known }
    let frames = frames(at: place)
    recent.keep(frames, for: place)
    return frames
  }

  private mutating func frames(at place: SymbolTables.Place) -> [SourceFrame] {
    var line = place.line
    var number = place.scope
    guard var scope = tables.scope(number, below: .max) else {
      let isKnown = place.symbol != .max || line != .none
      return isKnown ? [frame(place.symbol, line, isInlined: false)] : []
    }
    return [SourceFrame](unsafeUninitializedCapacity: tables.depth(of: number)) { room, count in
      func add(_ frame: SourceFrame) {
        room.initializeElement(at: count, to: frame)
        count += 1
      }
      while let parent = tables.scope(scope.parent, below: number) {
        add(frame(scope.name, line, isInlined: true))
        (line, number, scope) = (scope.call, scope.parent, parent)
      }
      // The linker's name says which copy of a function this is; its entry may name the original.
      let name = place.symbol != .max ? place.symbol : scope.name
      add(frame(name, line, isInlined: false))
    }
  }

  private mutating func frame(
    _ name: UInt32, _ line: SymbolIndex.Line, isInlined: Bool
  ) -> SourceFrame {
    let (original, readable) = texts.name(name) ?? ("??", "??")
    return SourceFrame(
      function: readable, mangledName: original,
      file: texts.original(line.file), line: line.line == 0 ? nil : Int(line.line),
      column: line.column == 0 ? nil : Int(line.column), isInlined: isInlined)
  }
}

// MARK: Learning

extension CodeReader {
  /// How many names were made readable that were not kept yet.
  var learned: Int { texts.learned.count - kept }

  /// How names read, as far as it is known now.
  func namesBlock() -> IndexStorage { texts.namesBlock() }

  /// What was learned so far is kept.
  mutating func forgetLearning() { kept = texts.learned.count }
}

/// The last answers, a bounded number of them: the addresses of a log repeat.
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
