import Glibc

/// The lines of a console's text around a position of interest.
struct ConsoleText {
  struct Line {
    /// The offset of the line in the file.
    var offset: UInt64
    var bytes: ArraySlice<UInt8>

    var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  /// Counts the lines below the position that readers examined to recognize a format.
  final class Search {
    var lines = 0
  }

  let lines: [Line]
  let search: Search
  /// The index of the line that contains the position of interest.
  let middle: Int
  /// True if the file continues after these lines.
  let goesOn: Bool

  /// - Parameters:
  ///   - bytes: the excerpt.
  ///   - start: The offset of the excerpt in the file.
  ///   - place: The position of interest, as an offset in the file.
  ///   - goesOn: whether the file continues after the excerpt.
  init(_ bytes: ArraySlice<UInt8>, start: UInt64, place: UInt64, goesOn: Bool) {
    var lines: [Line] = []
    var middle = 0
    let isPlain = LineCleaner.isPlain(bytes)
    lines.reserveCapacity(bytes.count / 32)
    for line in Self.split(bytes) {
      let offset = start + UInt64(line.lowerBound - bytes.startIndex)
      if offset <= place { middle = lines.count }
      let line = bytes[line]
      lines.append(Line(offset: offset, bytes: isPlain ? line : LineCleaner.clean(line)))
    }
    // The end of the excerpt may truncate the last line.
    if goesOn, lines.count > middle + 1 { lines.removeLast() }
    self.init(lines: lines, middle: middle, goesOn: goesOn, search: Search())
  }

  /// The ranges of the lines, without line ends.
  private static func split(_ bytes: ArraySlice<UInt8>) -> [Range<Int>] {
    bytes.withUnsafeBufferPointer { all in
      var lines: [Range<Int>] = []
      lines.reserveCapacity(all.count / 32)
      var start = 0
      for at in all.indices where all[at] == 10 || all[at] == 13 {
        // The line feed of a CRLF pair.
        if all[at] == 10, at > 0, at == start, all[at - 1] == 13 {
          start = at + 1
          continue
        }
        lines.append(bytes.startIndex + start..<bytes.startIndex + at)
        start = at + 1
      }
      lines.append(bytes.startIndex + start..<bytes.endIndex)
      return lines
    }
  }

  private init(lines: [Line], middle: Int, goesOn: Bool, search: Search) {
    self.lines = lines
    self.search = search
    self.middle = middle
    self.goesOn = goesOn
  }

  /// The text without the time or tag that a log added to each line, and without blank lines if every second
  /// line is blank.
  var bare: ConsoleText {
    let line = lines[middle].text
    let prefix = LogMargin.log(of: line).flatMap { LinePrefix(line[..<$0].utf8) }
    var bare = self
    if let prefix {
      bare = ConsoleText(
        lines: lines.map { Line(offset: $0.offset, bytes: prefix.rest(of: $0.bytes) ?? $0.bytes) },
        middle: middle, goesOn: goesOn, search: search)
    }
    return bare.isSpaced ? bare.withoutBlankLines : bare
  }

  /// The text without the prefix by which a log collector names the container, the process or the
  /// stream of each line, and without the lines of other containers; nil without such a prefix.
  var withoutContainer: ConsoleText? {
    let line = lines[middle].text
    for mark in ["| ", "stdout F ", "stderr F ", "]: ", "] "] {
      guard let place = line.range(of: mark), line[..<place.upperBound].utf8.count <= 120,
        mark != "] " || line.hasPrefix("["), mark != "| " || Self.isName(line[..<place.lowerBound]),
        let prefix = LinePrefix(line[..<place.upperBound].utf8)
      else { continue }
      let around = lines[max(0, middle - 2)..<min(lines.count, middle + 6)]
      guard around.count(where: { prefix.rest(of: $0.bytes) != nil }) >= 3 else { continue }
      let column = line[..<place.lowerBound].utf8.count
      let kept = lines.enumerated().compactMap { at, line -> Line? in
        if let rest = prefix.rest(of: line.bytes) { return Line(offset: line.offset, bytes: rest) }
        let isOther =
          mark == "| " && line.bytes.count > column
          && line.bytes[line.bytes.startIndex + column] == UInt8(ascii: "|")
        return isOther ? nil : line
      }
      guard let middle = kept.firstIndex(where: { $0.offset == lines[middle].offset }) else {
        continue
      }
      return ConsoleText(lines: kept, middle: middle, goesOn: goesOn, search: search)
    }
    return withoutColumns
  }

  /// The last column of a table of comma-separated values, if the columns before it are alike on all lines around.
  private var withoutColumns: ConsoleText? {
    let line = lines[middle].text.prefix(200)
    guard line.utf8.first?.isDigit == true else { return nil }
    let around = lines[max(0, middle - 2)..<min(lines.count, middle + 6)]
    for comma in line.indices.filter({ line[$0] == "," }).reversed() {
      guard let prefix = LinePrefix(line[...comma].utf8),
        around.count(where: { prefix.rest(of: $0.bytes) != nil }) >= 4
      else { continue }
      let bare = lines.map { line in
        var rest = prefix.rest(of: line.bytes) ?? line.bytes
        if rest.count > 1, rest.first == 34, rest.last == 34 { rest = rest.dropFirst().dropLast() }
        return Line(offset: line.offset, bytes: rest)
      }
      return ConsoleText(lines: bare, middle: middle, goesOn: goesOn, search: search)
    }
    return nil
  }

  /// True for the name of a container, padded by spaces: `worker-1   `.
  private static func isName(_ text: Substring) -> Bool {
    let name = text.trimmed
    return !name.isEmpty && text.first != " "
      && name.utf8.allSatisfy { $0.isWord || $0 == UInt8(ascii: "-") }
  }

  private var isSpaced: Bool {
    let blank = lines[middle...].prefix(24).map { $0.bytes.allSatisfy(\.isSpace) }
    return blank.lazy.filter { !$0 }.count > 3
      && !zip(blank, blank.dropFirst()).contains { !$0 && !$1 }
  }

  private var withoutBlankLines: ConsoleText {
    let place = lines[middle].offset
    let kept = lines.filter { !$0.bytes.allSatisfy(\.isSpace) }
    return ConsoleText(
      lines: kept, middle: kept.firstIndex { $0.offset == place } ?? 0, goesOn: goesOn,
      search: search)
  }

  /// Passes the lines from `start` on to `take`, and returns the line after the last line that
  /// belongs to the report.
  ///
  /// - Parameters:
  ///   - start: the first line.
  ///   - most: the maximum number of lines to read.
  ///   - patience: the number of successive other lines that ends the reading. Blank lines do not
  ///     count.
  ///   - take: Returns true if the line belongs to the report; nil ends the reading.
  func read(
    from start: Int, most: Int = .max, patience: Int, _ take: (String) -> Bool?
  ) -> Int {
    var (end, missed) = (start, 0)
    for place in lines.indices[start...].prefix(most) where missed < patience {
      search.lines += 1
      let line = lines[place].text
      guard let isPart = take(line) else { break }
      if isPart {
        (end, missed) = (place + 1, 0)
      } else if !line[LogMargin.end(of: line)...].trimmed.isEmpty {
        missed += 1
      }
    }
    return end
  }

  /// The same lines around another position of interest.
  func moved(to line: Int) -> ConsoleText {
    ConsoleText(lines: lines, middle: line, goesOn: goesOn, search: search)
  }

  /// The offset of a line in the file; nil for the line after the last.
  func offset(ofLine line: Int) -> UInt64? { line < lines.count ? lines[line].offset : nil }

  /// The index of the line at a file offset; the line count for nil.
  func line(at offset: UInt64?) -> Int {
    offset.flatMap { offset in lines.firstIndex { $0.offset == offset } } ?? lines.count
  }

  /// The text without the log prefix that precedes `sentence` in `line`, removed from every line.
  func withoutPrefix(before sentence: String, in line: Int) -> ConsoleText {
    let text = lines[line].text
    guard let place = text.range(of: sentence)?.lowerBound,
      let prefix = LinePrefix(text[..<place].utf8)
    else { return self }
    let bare = lines.map { Line(offset: $0.offset, bytes: prefix.rest(of: $0.bytes) ?? $0.bytes) }
    return ConsoleText(lines: bare, middle: middle, goesOn: goesOn, search: search)
  }
}

/// Removes terminal escape sequences, HTML entities and Markdown escapes from lines.
enum LineCleaner {
  private static let escape = UInt8(0x1b)
  private static let backslash = UInt8(ascii: "\\")
  private static let ampersand = UInt8(ascii: "&")
  /// The entities that a web page uses for special characters.
  private static let entities: [(name: [UInt8], sign: UInt8)] = [
    (Array("&lt;".utf8), UInt8(ascii: "<")), (Array("&gt;".utf8), UInt8(ascii: ">")),
    (Array("&amp;".utf8), UInt8(ascii: "&")), (Array("&quot;".utf8), UInt8(ascii: "\"")),
    (Array("&#39;".utf8), UInt8(ascii: "'")), (Array("&#x27;".utf8), UInt8(ascii: "'")),
    (Array("&apos;".utf8), UInt8(ascii: "'")), (Array("&nbsp;".utf8), 32),
    (Array("&#96;".utf8), UInt8(ascii: "`")),
  ]
  private static let markdown = Set("_[]*#`()<>+-.!|~:=\\".utf8)

  /// True if the text needs no cleaning.
  static func isPlain(_ text: ArraySlice<UInt8>) -> Bool {
    text.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return true }
      return ![escape, backslash, 0xc2, ampersand].contains { sign in
        memchr(start, Int32(sign), bytes.count) != nil
      }
    }
  }

  /// True if the backslash separates folders of a path, as in `C:\agent\_work`.
  private static func isInPath(
    _ text: ArraySlice<UInt8>, _ place: Int, ofWordAt start: Int
  ) -> Bool {
    place > start + 2 && text[place - 1].isWord && text[start + 1] == UInt8(ascii: ":")
  }

  /// The text without escape sequences and otherwise unchanged.
  static func withoutEscapes(_ raw: [UInt8]) -> [UInt8] {
    var kept: [UInt8] = []
    kept.reserveCapacity(raw.count)
    var at = 0
    while at < raw.count {
      if raw[at] == escape {
        at = endOfEscape(raw[...], from: at)
      } else {
        kept.append(raw[at])
        at += 1
      }
    }
    return kept
  }

  /// The index after an escape sequence: a control sequence, an operating system command up to BEL
  /// or `ESC \\`, or a character set selection.
  private static func endOfEscape(_ raw: ArraySlice<UInt8>, from start: Int) -> Int {
    var at = start + 2
    guard start + 1 < raw.endIndex else { return raw.endIndex }
    switch raw[start + 1] {
    case UInt8(ascii: "["):
      while at < raw.endIndex, !(0x40...0x7e).contains(raw[at]) { at += 1 }
      return min(at + 1, raw.endIndex)
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"):
      while at < raw.endIndex, raw[at] != 7, raw[at] != 10 {
        if raw[at] == escape { return min(at + 2, raw.endIndex) }
        at += 1
      }
      return at < raw.endIndex && raw[at] == 7 ? at + 1 : at
    case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "#"), UInt8(ascii: "%"):
      return min(start + 3, raw.endIndex)
    default: return min(at, raw.endIndex)
    }
  }

  /// The text without escape sequences and Markdown backslashes, with entities decoded and
  /// non-breaking spaces as spaces.
  static func clean(_ raw: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    if isPlain(raw) { return raw }
    var kept: [UInt8] = []
    var at = raw.startIndex
    var word = at
    while at < raw.endIndex {
      let byte = raw[at]
      if byte.isSpace { word = at + 1 }
      let next = at + 1 < raw.endIndex ? raw[at + 1] : 0
      if byte == escape {
        at = endOfEscape(raw, from: at)
      } else if byte == backslash, markdown.contains(next), !isInPath(raw, at, ofWordAt: word) {
        at += 1
      } else if byte == ampersand,
        let entity = entities.first(where: { raw[at...].starts(with: $0.name) })
      {
        kept.append(entity.sign)
        at += entity.name.count
      } else if byte == 0xc2, next == 0xa0 {
        kept.append(32)
        at += 2
      } else {
        kept.append(byte)
        at += 1
      }
    }
    return kept[...]
  }
}

/// The frames that follow a position, even if other lines are between them.
struct ConsoleStack {
  private(set) var frames: [CrashReport.Frame] = []
  /// The line after the last frame.
  private(set) var end: Int

  /// - Parameters:
  ///   - lines: The lines to search.
  ///   - start: the first line that may hold a frame.
  ///   - patience: the maximum number of other lines before the first frame and between frames.
  init(_ lines: [ConsoleText.Line], from start: Int, patience: Int = 4) {
    end = start
    var last: Int?
    var at = start
    var missed = 0
    while at < lines.count, missed <= patience, frames.count < 1024 {
      guard let line = FrameLine(lines[at]) ?? FrameLine(abbreviated: lines[at].text),
        last.map({ line.number > $0 && line.number <= $0 + 3 }) ?? true
      else {
        if last != nil, lines[at].bytes.allSatisfy(\.isSpace) { missed += 2 }
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
