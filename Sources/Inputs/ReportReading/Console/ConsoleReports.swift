import IncidentModel

/// Finds reports in console text of any size, in constant memory.
struct ConsoleReports {
  /// The maximum size of an excerpt, and so of the part of a line that is read.
  private static let block = 1 << 20
  private static let most = 10_000

  private let bytes: FileBytes
  private let format: ForeignFormat?

  init(_ bytes: FileBytes, format: ForeignFormat?) {
    self.bytes = bytes
    self.format = format
  }

  /// Calls `body` for each report in order. All violations of one process make one report.
  func forEach(_ body: (CrashReport) throws -> Void) throws {
    var gathering = ConsoleGathering(format: format)
    var from: UInt64 = 0
    let scanner = NeedleScanner(bytes, ConsoleNeedles.all)
    var count = 0
    var rereading = Rereading()
    while let place = scanner.next(from: from) {
      if ExceptionMention.stands(at: place, in: scanner) {
        let next = place + 1
        from = next + rereading.passed(after: next, from: from, effort: Rereading.linesPerMention)
        continue
      }
      if count >= Self.most {
        try body(rest(from: place))
        return
      }
      let read = excerpt(around: place) { ConsoleReader.read($0, only: format) }
      let end = max(place + 1, read.end)
      let next = read.isInLine ? rereading.skippedLine(from: end, in: bytes) : end
      let effort = read.effort + Rereading.linesPerNeedle
      from = next + rereading.passed(after: next, from: from, effort: effort)
      for report in gathering.take(read.found, at: place, to: end) {
        try body(report)
        count += 1
      }
    }
    for report in gathering.finishAll() {
      try body(report)
      count += 1
    }
    // Nothing is reported about a text without any recognized report.
    let unread = rereading.unread
    if !unread.isEmpty, count > 0 {
      var report = CrashReport(.console)
      report.unread = unread
      try body(report)
    }
  }

  /// The unread rest of a console that exceeds the maximum number of reports.
  private func rest(from place: UInt64) -> CrashReport {
    var report = CrashReport(.console)
    let why = Unread.Reason.other("more than \(Self.most) reports; the rest was not read")
    report.unread = [Unread(offset: place, length: bytes.size - place, reason: why)]
    return report
  }

  private struct Excerpt {
    var found: ConsoleReader.Found?
    /// The offset after the report.
    var end: UInt64
    var effort: Int
    /// True if the line at the position is longer than the largest excerpt.
    var isInLine = false
  }

  /// Reads the report at `place` from an excerpt, which grows until the report fits.
  private func excerpt(
    around place: UInt64, _ read: (ConsoleText) -> ConsoleReader.Reading
  ) -> Excerpt {
    let before: UInt64 = 1024
    // Number of lines after a report that may still belong to the report.
    let margin = 12
    var size = 1 << 12
    var effort = 0
    while true {
      let start = place > before ? place - before : 0
      let piece = bytes.read(at: start, count: size)
      if size > 1 << 12 { effort += piece.count / Rereading.bytesPerLine }
      let goesOn = start + UInt64(piece.count) < bytes.size
      let text = ConsoleText(piece[...], start: start, place: place, goesOn: goesOn)
      let reading = read(text)
      effort += text.search.lines + text.lines.count / Rereading.linesForOne
      if reading.end + margin < text.lines.count || !goesOn || size >= Self.block {
        let end =
          reading.end < text.lines.count
          ? text.lines[reading.end].offset : start + UInt64(piece.count)
        let isInLine = goesOn && size >= Self.block && text.middle + 1 == text.lines.count
        return Excerpt(found: reading.found, end: end, effort: effort, isInLine: isInLine)
      }
      size *= 4
    }
  }
}

/// Limits repeated searches. Each line that looks like the beginning of a report starts a search
/// over the maximum extent of such a report. A console with only such lines would take hours, so
/// parts of it are skipped.
private struct Rereading {
  /// The cost of splitting a larger excerpt, in bytes per examined line.
  static let bytesPerLine = 32
  /// Number of lines that can be split in the time of examining one line.
  static let linesForOne = 16
  /// The fixed cost of a needle, as a number of lines that can be examined in the same time.
  static let linesPerNeedle = 64
  /// The cost of a needle that belongs to a handled exception.
  static let linesPerMention = 2
  /// The number of input bytes that add one line to the budget, and the initial budget in bytes.
  private static let bytesForOne: Int64 = 32
  private static let most: Int64 = 512 << 20

  private var left = Self.most
  private var passedOver: Unread?
  private var lineRest: Unread?

  /// The parts that were not read.
  var unread: [Unread] { [passedOver, lineRest].compactMap(\.self) }

  /// Charges the budget with `lines` examined lines and returns the number of bytes to skip.
  mutating func passed(after end: UInt64, from start: UInt64, effort lines: Int) -> UInt64 {
    left += Int64(clamping: end - start)
    left -= Int64(lines) * Self.bytesForOne
    left = min(left, Self.most)
    guard left < 0 else { return 0 }
    let passed = UInt64(-left)
    left = 0
    let why =
      "this part contains too many reports; only some of these reports were read to their end"
    passedOver = Self.adding(passed, at: end, to: passedOver, because: why)
    return passed
  }

  /// Skips the rest of a line and returns the offset of the next one.
  mutating func skippedLine(from offset: UInt64, in bytes: FileBytes) -> UInt64 {
    let end = bytes.endOfLine(from: offset)
    let why = "lines longer than 1 MiB; only the first MiB with a report's text was read"
    lineRest = Self.adding(end - offset, at: offset, to: lineRest, because: why)
    return end
  }

  private static func adding(
    _ length: UInt64, at offset: UInt64, to earlier: Unread?, because why: String
  ) -> Unread {
    Unread(
      offset: earlier?.offset ?? offset, length: (earlier?.length ?? 0) + length,
      reason: .other(why))
  }
}

/// Finds substrings in a file, block by block.
final class NeedleScanner {
  private static let size = 1 << 18
  private static let overlap = 256

  private let bytes: FileBytes
  private let needles: Needles
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 64)
  private var start: UInt64 = 0
  private var filled = 0

  init(_ bytes: FileBytes, _ texts: [String]) {
    self.bytes = bytes
    needles = Needles(texts)
  }

  deinit { buffer.deallocate() }

  /// The position of the next needle at or after `offset`; nil if none occurs.
  func next(from offset: UInt64) -> UInt64? {
    var offset = offset
    while offset < bytes.size {
      if offset < start || offset >= start + UInt64(filled) { load(at: offset) }
      guard filled > 0 else { return nil }
      if let found = needles.first(in: block, from: Int(offset - start)) {
        return start + UInt64(found)
      }
      let end = start + UInt64(filled)
      // A short block is the end of a file that another process truncated.
      if end >= bytes.size || filled < Self.size { return nil }
      // A needle may cross the end of the block.
      load(at: max(offset, end - UInt64(Self.overlap)))
      offset = start
    }
    return nil
  }

  /// Calls `body` with the bytes at `offset`: `count`, or fewer at the end of the file. A block is
  /// the maximum.
  func withBytes<Result>(
    at offset: UInt64, count: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    let isLoaded = offset >= start && offset + UInt64(count) <= start + UInt64(filled)
    if !isLoaded { load(at: offset) }
    return body(UnsafeBufferPointer(rebasing: block[Int(offset - start)...].prefix(count)))
  }

  private var block: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(
      start: buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), count: filled)
  }

  private func load(at offset: UInt64) {
    start = offset
    filled = bytes.read(at: offset, into: buffer)
  }
}
