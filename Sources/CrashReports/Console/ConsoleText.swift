/// A piece of a console's text around a place of interest, in lines.
struct ConsoleText {
  struct Line {
    /// Where it begins in the file.
    var offset: UInt64
    var text: String
  }

  let lines: [Line]
  /// The line that holds the place.
  let middle: Int
  /// Whether the text goes on beyond these lines.
  let goesOn: Bool

  /// - Parameters:
  ///   - bytes: the piece.
  ///   - start: where it begins in the file.
  ///   - place: what it is about, in bytes from the start of the file.
  ///   - goesOn: whether the file goes on after it.
  init(_ bytes: ArraySlice<UInt8>, start: UInt64, place: UInt64, goesOn: Bool) {
    var lines: [Line] = []
    var middle = 0
    var offset = start
    for raw in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      if offset <= place { middle = lines.count }
      lines.append(Line(offset: offset, text: Self.clean(raw)))
      offset += UInt64(raw.count) + 1
    }
    // What the piece cuts through is no line.
    if goesOn, lines.count > middle + 1 { lines.removeLast() }
    self.lines = lines
    self.middle = middle
    self.goesOn = goesOn
  }

  /// The text without escape sequences, carriage returns, and what Markdown puts before signs.
  static func clean(_ raw: ArraySlice<UInt8>) -> String {
    let escape = UInt8(0x1b)
    guard raw.contains(escape) || raw.contains(UInt8(ascii: "\\")) || raw.last == 13 else {
      return String(decoding: raw, as: UTF8.self)
    }
    var kept: [UInt8] = []
    var at = raw.startIndex
    while at < raw.endIndex {
      let byte = raw[at]
      let next = at + 1 < raw.endIndex ? raw[at + 1] : 0
      if byte == escape, next == UInt8(ascii: "[") {
        at += 2
        while at < raw.endIndex, !(0x40...0x7e).contains(raw[at]) { at += 1 }
        at += 1
      } else if byte == UInt8(ascii: "\\"), markdown.contains(next) {
        at += 1
      } else {
        if byte != 13 { kept.append(byte) }
        at += 1
      }
    }
    return String(decoding: kept, as: UTF8.self)
  }

  private static let markdown: Set<UInt8> = Set("_[]*#`()<>+-.!|~:=\\".utf8)

  /// The lines from the place on.
  var following: ArraySlice<Line> { lines[middle...] }
}

/// The frames that follow a place, though other lines may stand between them.
struct ConsoleStack {
  private(set) var frames: [CrashReport.Frame] = []
  /// The line after the last frame.
  private(set) var end: Int

  /// - Parameters:
  ///   - lines: where to look.
  ///   - start: the first line that may hold a frame.
  ///   - patience: so many lines may stand before the first frame and between frames.
  init(_ lines: [ConsoleText.Line], from start: Int, patience: Int = 4) {
    end = start
    var last: Int?
    var at = start
    var missed = 0
    while at < lines.count, missed <= patience, frames.count < 1024 {
      guard let line = FrameLine(lines[at].text),
        last.map({ line.number > $0 && line.number <= $0 + 3 }) ?? true
      else {
        if lines[at].text.trimmed.isEmpty, last != nil { missed += 2 }
        missed += 1
        at += 1
        continue
      }
      last = line.number
      frames.append(line.frame)
      missed = 0
      at += 1
      end = at
    }
  }
}
