/// The names and files of one module as strings, each made when it is first asked for.
struct Texts {
  private let index: SymbolIndex
  private var originals: [String?]
  private var readables: [String?]
  private var demangler = Demangler()
  /// How many names were made readable here because the index did not know how they read.
  private(set) var learned = 0

  init(of index: SymbolIndex) {
    self.index = index
    originals = Array(repeating: nil, count: index.textStarts.count)
    readables = originals
  }

  /// A text as it stands in the module; nil where there is none of this number.
  mutating func original(_ number: UInt32) -> String? {
    guard number < originals.count else { return nil }
    if let known = originals[Int(number)] { return known }
    let text = Self.string(in: index.strings, at: index.textStarts[Int(number)])
    originals[Int(number)] = text
    return text
  }

  /// A name as people read it; nil where there is none of this number.
  mutating func readable(_ number: UInt32) -> String? {
    guard number < readables.count else { return nil }
    if let known = readables[Int(number)] { return known }
    let text = makeReadable(Int(number))
    readables[Int(number)] = text
    return text
  }

  private mutating func makeReadable(_ number: Int) -> String? {
    if let known = Self.string(in: index.readables, at: index.readableStarts[number]) {
      return known
    }
    guard let original = original(UInt32(number)) else { return nil }
    guard let readable = demangler.readable(original) else { return original }
    learned += 1
    return readable
  }

  private static func string(in pool: FlatArray<UInt8>, at start: UInt32) -> String? {
    guard start < pool.count else { return nil }
    return String(cString: pool.address(of: Int(start)).assumingMemoryBound(to: CChar.self))
  }

  mutating func forgetLearning() { learned = 0 }

  /// The index with what was learned since; what was not asked for stays as it is.
  func learnedIndex() -> IndexStorage {
    var starts: [UInt32] = []
    starts.reserveCapacity(readables.count)
    var pool: [UInt8] = []
    for number in readables.indices {
      let known =
        readables[number] ?? Self.string(in: index.readables, at: index.readableStarts[number])
      guard let known, known != originals[number] else {
        starts.append(.max)
        continue
      }
      starts.append(UInt32(pool.count))
      pool.append(contentsOf: known.utf8)
      pool.append(0)
    }
    return index.block(readableStarts: starts, readables: pool)
  }
}
