import CrashAnalysis
import IncidentModel
import ReportTrials
import Testing

@testable import ReportReading

/// The layers around a report are removed once each, whatever the text looks like afterwards.
@Suite struct TextLayersTests {
  private func bare(_ text: String) -> String {
    String(
      decoding: TextLayers.removed(from: Array(text.utf8), isDetected: true), as: UTF8.self)
  }

  private let head = "Content-Transfer-Encoding: quoted-printable\n\n"

  @Test func anEscapedEscapeIsDecodedOnce() {
    #expect(bare(head + "x=3D41") == head + "x=41")
    #expect(bare(head + String(repeating: "=3D", count: 9) + "41").hasSuffix("========41"))
    #expect(bare("<html>\n&amp;lt;\n</html>").contains("&lt;"))
  }

  @Test func manyEscapesNeedOnePass() {
    let nested = "=" + String(repeating: "3D", count: 20_000)
    #expect(bare(head + nested) == head + "=" + nested.dropFirst(3))
  }

  @Test func aPageWithinAMailIsPlain() {
    let text = bare(head + "<html><body>a =3D b<br>c</body></html>")
    #expect(text.contains("a = b\nc") && !text.contains("<"))
  }

  @Test func aMailInAnotherCharacterSetIsUTF8() {
    #expect(bare(head + "d=E9j=E0") == head + "déjà")
  }

  @Test func onlyMarginsNest() {
    #expect(bare("> > // a\n> > // b") == "a\nb")
    let deep = String(repeating: "> ", count: 20)
    #expect(bare(deep + "a\n" + deep + "b") == "a\nb")
  }

  @Test func theLinesOfACheckerArePutTogether() {
    let text = """
      Main Thread Checker: UI API called on a background thread: -[UIView
      > setAlpha:]
      PID: 4120, TID: 88123, Thread name: (none),
      Queue name: com.moewe.scores, QoS: 25
      Backtrace:
      4   Moewe  0x0000000104a1c2b8 show() + 148
      Main Thread Checker: UI API called on a background thread: -[UIView

      """
    let lines = bare(text).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[0].hasSuffix("-[UIView setAlpha:]"))
    #expect(lines[1].hasSuffix("(none), Queue name: com.moewe.scores, QoS: 25"))
    #expect(
      lines[2...].elementsEqual(text.split(separator: "\n", omittingEmptySubsequences: false)[4...])
    )
  }

  @Test(arguments: [0, -1, 1e300, .nan, .infinity, 7_289_654_400])
  func aTimeThatNoClockShowsIsUnknown(seconds: Double) {
    #expect(WallClock.nanoseconds(seconds: seconds) == 0)
    #expect(WallClock.nanoseconds(seconds) == nil)
  }

  @Test(arguments: ["99999999999999999", "18446744073709551615", "2000"])
  func aHangOfAnyLengthIsRead(milliseconds: String) throws {
    let text = """
      E/Watch: UI thread failed to respond to ping within \(milliseconds) ms
          at com.quarry.Board.show(Board.kt:12)
          at com.quarry.Board.go(Board.kt:13)
      """
    let reading = ReportReading(bytes: Array(text.utf8), name: "a.txt")
    #expect(reading.accusations == ["main-blocked"])
  }

  @Test func anAllowanceOfAnyLengthIsRead() throws {
    let trial = try #require(ReportTrial.all.first { $0.file == "alike-crash-watchdog.crash" })
    let text = String(decoding: Scratch.bytes(of: trial.path), as: UTF8.self)
    let allowed = text.replacing(
      #/allowance of [0-9.]+/#, with: "allowance of 1" + String(repeating: "0", count: 40))
    #expect(allowed != text)
    #expect(ReportReading(bytes: Array(allowed.utf8), name: "a.crash").failure == nil)
  }

  /// The second stack of a thread replaces the first one, and the other threads keep the locks that they wait for.
  @Test func aListOfAllStacksRepeatsTheThreadThatStopped() throws {
    let trial = try #require(
      ReportTrial.all.first { $0.file == "threads-gdb-stopped-again.txt" })
    let finding = try #require(ReportReading(path: trial.path).entries.map(\.finding).first)
    #expect(finding.title.contains("waited for each other"))
  }
}
