/// Reads the names of Swift classes from their metadata.
struct TypeNames {
  private let reader: WordReader
  private static let mostParents = 8

  init(_ reader: WordReader) { self.reader = reader }

  /// The qualified name of the class with the metadata at `metadata`; empty if it is no Swift
  /// class.
  func name(ofClassAt metadata: UInt64) -> String {
    // The type descriptor is the sixth word of class metadata on Linux.
    guard let description = reader.word(at: metadata &+ 40), description != 0 else { return "" }
    return name(ofContextAt: description)
  }

  private func name(ofContextAt description: UInt64) -> String {
    var parts: [String] = []
    var next = description
    for _ in 0..<Self.mostParents {
      guard let flags = reader.half(at: next) else { break }
      // The kinds 16, 17 and 18 are class, structure and enumeration. A module or an extension ends
      // the name.
      guard (16...18).contains(flags & 0x1f), let place = relative(at: next &+ 8),
        let name = reader.text(at: place, limit: 128), Self.isName(name)
      else { break }
      parts.insert(name, at: 0)
      guard let parent = relative(at: next &+ 4) else { break }
      // An odd offset refers to a pointer to the parent.
      next = parent & 1 == 0 ? parent : reader.word(at: parent & ~1) ?? 0
    }
    return parts.joined(separator: ".")
  }

  private static func isName(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { $0.properties.isXIDContinue || $0 == "_" }
  }

  private func relative(at address: UInt64) -> UInt64? {
    guard let offset = reader.half(at: address), offset != 0 else { return nil }
    return address &+ UInt64(bitPattern: Int64(Int32(bitPattern: offset)))
  }
}
