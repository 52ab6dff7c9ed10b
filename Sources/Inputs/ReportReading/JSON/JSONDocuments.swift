import IncidentModel

/// The JSON documents in a text, one after the other, and the text around them.
struct JSONDocuments {
  enum Piece {
    case json(JSON, bytes: Range<Int>)
    case text(Range<Int>)
  }

  private static let most = 100_000

  private(set) var pieces: [Piece] = []
  private(set) var unread: [Unread] = []
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if let whole = JSON(bytes) {
      pieces = [.json(whole, bytes: 0..<bytes.count)]
    } else {
      split()
    }
  }

  /// Finds the documents in several parts of a text.
  init(each parts: [ArraySlice<UInt8>]) {
    bytes = []
    for part in parts {
      let found = JSONDocuments(Array(part))
      pieces += found.pieces.filter { if case .json = $0 { true } else { false } }
      unread += found.unread
    }
  }

  private mutating func split() {
    var at = 0
    while at < bytes.count {
      guard pieces.count < Self.most else {
        let why = Unread.Reason.other("more than \(Self.most) documents; the rest was not read")
        unread.append(
          Unread(offset: UInt64(at), length: UInt64(bytes.count - at), reason: why))
        return
      }
      guard let start = bytes[at...].firstIndex(where: { !Self.isSpace($0) }) else { return }
      let isOpening = bytes[start] == UInt8(ascii: "{") || bytes[start] == UInt8(ascii: "[")
      at = isOpening ? takeDocument(start) : takeText(start)
    }
  }

  /// Appends the document that begins at `start`, repaired if damaged; returns the offset of its
  /// end.
  private mutating func takeDocument(_ start: Int) -> Int {
    let end = Self.end(of: bytes, from: start) ?? bytes.count
    let document = Array(bytes[start..<end])
    if let json = JSON(document) {
      pieces.append(.json(json, bytes: start..<end))
    } else if let repaired = CutJSON.repair(document), repaired.length > 1 {
      pieces.append(.json(repaired.json, bytes: start..<end))
      let isCut = Self.end(of: bytes, from: start) == nil
      unread.append(
        Unread(
          offset: UInt64(start + repaired.length), length: UInt64(end - start - repaired.length),
          reason: isCut ? .truncated : .damaged))
    } else {
      pieces.append(.text(start..<end))
    }
    return end
  }

  /// Appends the text up to the next line that begins a document.
  private mutating func takeText(_ start: Int) -> Int {
    var at = start
    while at < bytes.count {
      let end = bytes[at...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      at = min(end + 1, bytes.count)
      if at < bytes.count, bytes[at] == UInt8(ascii: "{") { break }
    }
    pieces.append(.text(start..<at))
    return at
  }

  /// The end of the document that begins at `start`; nil if the text ends earlier.
  private static func end(of bytes: [UInt8], from start: Int) -> Int? {
    var depth = 0
    var isInString = false
    var isEscaped = false
    for at in start..<bytes.count {
      let byte = bytes[at]
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth <= 0 { return at + 1 }
      default: break
      }
    }
    return nil
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }
}
