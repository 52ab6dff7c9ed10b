import IncidentModel

/// Reads the frames at the addresses of one module from its index.
struct CodeReader {
  private let index: SymbolIndex
  private let bias: UInt64
  private var texts: Texts
  private var recent = Recent()

  init(_ index: SymbolIndex, bias: UInt64) {
    self.index = index
    self.bias = bias
    texts = Texts(of: index)
  }

  /// The functions at an address, innermost first; empty where nothing is known.
  mutating func frames(at address: FrameAddress) -> [SourceFrame] {
    guard address.lookup >= bias, let place = index.place(of: address.lookup - bias) else {
      return []
    }
    if let known = recent[place] { return known }
    let frames = frames(at: place)
    recent[place] = frames
    return frames
  }

  private mutating func frames(at place: SymbolIndex.Place) -> [SourceFrame] {
    let symbol = index.symbolName(at: place)
    var line = index.line(at: place)
    var number = index.innermostScope(at: place)
    guard var scope = index.scope(number, below: .max) else {
      return symbol == nil && line == .none ? [] : [frame(symbol, line, isInlined: false)]
    }
    var frames: [SourceFrame] = []
    frames.reserveCapacity(index.depth(of: number))
    while let parent = index.scope(scope.parent, below: number) {
      frames.append(frame(scope.name, line, isInlined: true))
      (line, number, scope) = (scope.call, scope.parent, parent)
    }
    // The linker's name says which copy of a function this is; its entry may name the original.
    frames.append(frame(symbol ?? scope.name, line, isInlined: false))
    return frames
  }

  private mutating func frame(
    _ name: UInt32?, _ line: SymbolIndex.Line, isInlined: Bool
  ) -> SourceFrame {
    let name = name ?? .max
    return SourceFrame(
      function: texts.readable(name) ?? "??", mangledName: texts.original(name) ?? "??",
      file: texts.original(line.file), line: line.line == 0 ? nil : Int(line.line),
      column: line.column == 0 ? nil : Int(line.column), isInlined: isInlined)
  }
}

// MARK: Learning

extension CodeReader {
  /// How many names were made readable that the index did not know yet.
  var learned: Int { texts.learned }
  var buildID: [UInt8] { index.buildID.elements }

  /// The index, with how names read.
  func learnedIndex() -> IndexStorage { texts.learnedIndex() }

  /// What was learned so far is kept.
  mutating func forgetLearning() { texts.forgetLearning() }
}

/// The last answers, a bounded number of them: the addresses of a log repeat.
private struct Recent {
  private var answers: [(place: SymbolIndex.Place, frames: [SourceFrame])?]

  init() { answers = Array(repeating: nil, count: 4096) }

  private func slot(of place: SymbolIndex.Place) -> Int {
    let mixed =
      (UInt32(bitPattern: place.line) &* 0x9e37_79b9)
      ^ (UInt32(bitPattern: place.span) &* 0x85eb_ca6b)
      ^ UInt32(bitPattern: place.symbol) &* 0xc2b2_ae35
    return Int(mixed >> 20)
  }

  subscript(place: SymbolIndex.Place) -> [SourceFrame]? {
    get {
      guard let answer = answers[slot(of: place)], answer.place == place else { return nil }
      return answer.frames
    }
    set { answers[slot(of: place)] = newValue.map { (place, $0) } }
  }
}
