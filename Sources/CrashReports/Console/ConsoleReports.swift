import CReportScan
import Glibc
import IncidentModel

/// Finds reports in the text of consoles, of any size, in memory that does not grow with it.
struct ConsoleReports {
  private static let block = 1 << 20
  private static let most = 10_000

  private let bytes: FileBytes
  private let format: ForeignFormat?

  init(_ bytes: FileBytes, format: ForeignFormat?) {
    self.bytes = bytes
    self.format = format
  }

  /// Reads the reports one after the other; violations of one process are one report.
  func forEach(_ body: (CrashReport) throws -> Void) throws {
    var gathering = ConsoleGathering(format: format)
    var from: UInt64 = 0
    let scanner = NeedleScanner(bytes, ConsoleNeedles.all)
    var count = 0
    while let place = scanner.next(from: from) {
      if count >= Self.most {
        try body(rest(from: place))
        return
      }
      let read = excerpt(around: place) { ConsoleReader.read($0, only: format) }
      from = max(place + 1, read.end)
      for report in gathering.take(read.found) {
        try body(report)
        count += 1
      }
    }
    for report in gathering.finish() { try body(report) }
  }

  /// What a console that repeats itself without end holds beyond the reports that were read.
  private func rest(from place: UInt64) -> CrashReport {
    var report = CrashReport(.console)
    let why = Unread.Reason.other("more than \(Self.most) reports; the rest was not read")
    report.unread = [Unread(offset: place, length: bytes.size - place, reason: why)]
    return report
  }

  /// Reads what stands at `place`, in a piece of text that is as large as it needs to be.
  private func excerpt(
    around place: UInt64, _ read: (ConsoleText) -> ConsoleReader.Reading
  ) -> (found: ConsoleReader.Found?, end: UInt64) {
    let before: UInt64 = 512
    // So many lines after a report may still belong to it.
    let margin = 12
    var size = 1 << 12
    while true {
      let start = place > before ? place - before : 0
      let piece = bytes.read(at: start, count: size)
      let goesOn = start + UInt64(piece.count) < bytes.size
      let text = ConsoleText(piece[...], start: start, place: place, goesOn: goesOn)
      let reading = read(text)
      if reading.end + margin < text.lines.count || !goesOn || size >= 1 << 20 {
        let end =
          reading.end < text.lines.count
          ? text.lines[reading.end].offset : start + UInt64(piece.count)
        return (reading.found, end)
      }
      size *= 4
    }
  }
}

/// Finds texts in a file, block by block.
final class NeedleScanner {
  private static let size = 1 << 18
  private static let overlap = 256

  private let bytes: FileBytes
  private let needles: OpaquePointer
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 64)
  private var start: UInt64 = 0
  private var filled = 0

  init(_ bytes: FileBytes, _ texts: [String]) {
    self.bytes = bytes
    var pointers = texts.map { UnsafePointer<CChar>(strdup($0)) }
    defer { for pointer in pointers { free(UnsafeMutablePointer(mutating: pointer)) } }
    guard let made = ms_needles_make(&pointers, pointers.count) else {
      preconditionFailure("out of memory")
    }
    needles = made
  }

  deinit {
    ms_needles_free(needles)
    buffer.deallocate()
  }

  /// Where the next of the texts begins, from an offset on; nil where there is none.
  func next(from offset: UInt64) -> UInt64? {
    var offset = offset
    while offset < bytes.size {
      if offset < start || offset >= start + UInt64(filled) { load(at: offset) }
      guard filled > 0 else { return nil }
      let at = Int(offset - start)
      let base = buffer.baseAddress!.assumingMemoryBound(to: UInt8.self)
      let found = ms_needles_find(needles, base, filled, at)
      if found < filled { return start + UInt64(found) }
      let end = start + UInt64(filled)
      if end >= bytes.size { return nil }
      // A text may lie across the end of the block.
      load(at: max(offset, end - UInt64(Self.overlap)))
      offset = start
    }
    return nil
  }

  private func load(at offset: UInt64) {
    start = offset
    filled = bytes.read(at: offset, into: buffer)
  }
}
