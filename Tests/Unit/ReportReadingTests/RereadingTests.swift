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
