/// The names and files of one module as strings.
struct Texts {
  /// The index, which keeps the memory of the texts alive.
  private let index: SymbolIndex
  private let names: ReadableNames?
  private var recent = RecentTexts()
  private var demangler = Demangler()
  /// The names that were demangled here, because their readable form was unknown.
  private(set) var learned: [UInt32: String] = [:]

  init(of index: SymbolIndex, names: ReadableNames?) {
    self.index = index
    self.names = names
  }

  /// A text as stored in the module; nil if no text has this number.
  mutating func original(_ number: UInt32) -> String? {
    if let known = recent[number] { return known.original }
    guard let text = index.texts[number] else { return nil }
    recent[number] = (text, nil)
    return text
  }

  /// A name as stored in the module, and its readable form; nil if no name has this number.
  mutating func name(_ number: UInt32) -> (original: String, readable: String)? {
    let known = recent[number]
    if let known, let readable = known.readable { return (known.original, readable) }
    guard let original = known?.original ?? index.texts[number] else { return nil }
    let readable = readable(number, original)
    recent[number] = (original, readable)
    return (original, readable)
  }

  private mutating func readable(_ number: UInt32, _ original: String) -> String {
    if let known = names?[number] ?? learned[number] { return known }
    guard let readable = demangler.readable(original) else { return original }
    learned[number] = readable
    return readable
  }

  /// The block of all readable names known so far.
  func namesBlock() -> IndexStorage {
    ReadableNames.block(of: index, known: names, learned: learned)
  }
}

/// A bounded cache of the last texts.
private struct RecentTexts {
  typealias Text = (original: String, readable: String?)
  private static let slots = 1024
  private var numbers = [UInt32](repeating: .max, count: slots)
  private var texts = [Text](repeating: ("", nil), count: slots)

  subscript(number: UInt32) -> Text? {
    get {
      let slot = Int(number) % Self.slots
      return numbers[slot] == number && number != .max ? texts[slot] : nil
    }
    set {
      guard let newValue else { return }
      numbers[Int(number) % Self.slots] = number
      texts[Int(number) % Self.slots] = newValue
    }
  }
}
