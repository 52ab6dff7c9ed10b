import Glibc
import IncidentModel
import Testing

@testable import ReportReading

@Suite struct RereadingTests {
  private static let violation = """
    Main Thread Checker: UI API called on a background thread: -[UILabel setText:]
    PID: 4411, TID: 7001, Thread name: (none), Queue name: com.harbor.feed, QoS: 0
    Backtrace:
    4   Harbor                              0x0000000102c40000 Pier.show(_:) + 8

    """

  private func reports(in text: String) throws -> Int {
    var count = 0
    try ReportFile(bytes: Array(text.utf8), name: "console", format: nil).forEach { _ in count += 1
    }
    return count
  }

  @Test func aReportIsFoundBelowAnyNumberOfLinesThatOnlyLookLikeOne() throws {
    let line = "09:14:02 [main thread] INFO Board: 3 rows are laid out on the main queue\n"
    let lines = String(repeating: line, count: 3000)
    #expect(try reports(in: lines + Self.violation) == 1)
  }

  @Test func aLongLineIsReadUpToOneMebibyteAndTheLinesBelowAreRead() throws {
    let line = ThreadSanitizer.header + String(repeating: "x", count: 3 << 20)
    var unread: [Unread] = []
    var count = 0
    let between = String(repeating: "Harbor loads its feed\n", count: 40)
    let text =
      Self.violation + between + line + "\n" + Self.violation.replacing("4411", with: "4412")
    try ReportFile(bytes: Array(text.utf8), name: "console", format: nil).forEach {
      count += 1
      unread += $0.unread
    }
    #expect(count == 3, "two violations, and the part that was not read")
    #expect(unread.count == 1 && unread[0].length > 2_000_000, "\(unread)")
  }

  /// Rotation may truncate a log while the log is read.
  @Test func aLogThatIsTruncatedMeanwhileIsReadToItsNewEnd() throws {
    let scratch = Scratch()
    let path = scratch.write([UInt8](repeating: 32, count: 1 << 20))
    let bytes = try FileBytes(path: path)
    let scanner = NeedleScanner(bytes, ["Harbor"])
    #expect(truncate(path, 300_000) == 0)
    #expect(scanner.next(from: 0) == nil)
    #expect(scanner.withBytes(at: 900_000, count: 9) { $0.count } == 0)
  }

  private static let exception = """
    java.lang.IllegalStateException: Feed must be used on the main thread
    \tat com.harbor.Feed.check(Feed.java:12)
    \tat com.harbor.Feed.load(Feed.java:41)

    """

  /// The scanner reads blocks of 256 KiB.
  @Test(arguments: [0, 16, 30, 60, 100, 140]) func aStackThatTwoBlocksShareIsRead(above: Int) throws
  {
    let line = "java.io.IOException: timed out\n"
    var lines = String(repeating: line, count: (1 << 18) / line.utf8.count - 8)
    lines += String(repeating: "\n", count: (1 << 18) - above - lines.utf8.count)
    #expect(try reports(in: lines + Self.exception) == 1)
    #expect(try reports(in: lines + line + line) == 0)
  }

  @Test(arguments: ["\n", "\r\n", "\r"]) func everyEndOfALineEndsOne(_ end: String) {
    let text = ConsoleText(
      Array("a\(end)\(end)b\(end)".utf8)[...], start: 0, place: 0, goesOn: false)
    #expect(text.lines.map(\.text) == ["a", "", "b", ""])
    let size = UInt64(end.utf8.count)
    #expect(text.lines.map(\.offset) == [0, 1 + size, 1 + 2 * size, 2 + 3 * size])
  }

  @Test func twoReportsOfOneDeathAreOne() throws {
    let log = "2024-10-01 08:00:00.100+0200 Orchard[77:1203] *** "
    let ending = "Terminating app due to uncaught exception 'NSRangeException', reason: 'beyond'\n"
    let other = ending.replacing("NSRange", with: "NSInvalidArgument")
    let far = String(repeating: "Orchard goes on with its work\n", count: 200)
    #expect(try reports(in: log + ending + log + other) == 1)
    #expect(try reports(in: log + ending + log.replacing("[77", with: "[78") + other) == 2)
    #expect(try reports(in: log + ending + far + log + other) == 2)
  }
}
