import IncidentModel
import ReportTrials
import Testing

@testable import ReportReading

/// Errors that a program handled and tests that passed are no crashes; a log that only resembles them is read.
@Suite struct SuppressionTests {
  private func rules(_ text: String, named name: String = "a.log") -> [String] {
    ReportReading(bytes: Array(text.utf8), name: name).entries.map(\.finding.rule)
  }

  private static let panic = """
    thread 'main' panicked at src/main.rs:12:5:
    index out of bounds: the len is 3 but the index is 5
    note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
    """
  private static let go = """
    panic: runtime error: index out of range [3] with length 3

    goroutine 1 [running]:
    main.main()
    \t/srv/app/main.go:12 +0x25
    exit status 2
    """
  private static let python = """
    Traceback (most recent call last):
      File "/srv/q/store.py", line 44, in save
        x[1]
    KeyError: 'a'
    """
  private static let dotNet = """
    System.FormatException: The input string '4,2' was not in a correct format.
       at Tides.Parser.Read(String s) in /src/Tides.cs:line 33
       at Tides.Program.Main() in /src/Program.cs:line 3
    """

  @Test(arguments: [
    panic + "\n2024-03-01 12:00:05 INFO restarted; 3 checks passed",
    panic + "\ntest result: ok",
    "running 2 tests\n" + panic + "\nrunning 2 tests\ntest result: ok. 2 passed; 0 failed",
    "running 1 test\n" + panic + "\ntest a ... FAILED\ntest result: FAILED. 0 passed; 1 failed",
    go + "\n2024/03/01 12:00:09 restarted by supervisor; health check passed in 12 ms",
    "BUILD SUCCESSFUL in 3s\n" + go,
    "12:00:01 ERROR payment failed, no retry left\n" + python,
    "12:00:01 ERROR payment failed\n" + python + "\n12:00:03 INFO 3 probes passed",
    "an unexpected exception follows\n" + python,
    "the state cannot be recovered, not retrying\n" + python,
    "2024-03-01 12:00:00.000 [ERR] giving up after the last retry\n" + dotNet,
    "Unhandled exception. System.FormatException: bad INFO record\n"
      + dotNet.split(separator: "\n")[1...].joined(separator: "\n"),
  ])
  func aDeathInAProductionLogIsRead(text: String) {
    #expect(rules(text) == ["crash-cause"])
  }

  @Test(arguments: [
    "running 1 test\n" + panic
      + "\ntest a - should panic ... ok\n\ntest result: ok. 1 passed; 0 failed",
    "=== RUN   TestA\n" + go + "\n--- PASS: TestA (0.00s)",
    "===== test session starts =====\n" + python + "\n===== 1 passed in 0.04s =====",
    "12:00:01 WARNING payment failed\n" + python,
    "payment failed, falling back to cash\n" + python,
    "2024-03-01 12:00:00.000 [WRN] yesterday's tides are used\n" + dotNet,
  ])
  func aHandledOrProvokedErrorIsNoCrash(text: String) {
    #expect(rules(text) == [])
  }

  @Test func anErrorsOwnWordsDoNotSayThatItWasHandled() {
    #expect(!HandledError.isAnnounced(by: "ERROR the WARN queue is full"))
    #expect(!HandledError.isAnnounced(by: "INFORMATION: the mishandled retry"))
    #expect(HandledError.isAnnounced(by: "12:00 [WRN] no tides"))
    #expect(HandledError.isAnnounced(by: "warn: Orrery.Feed[3]"))
  }

  @Test(arguments: [
    ("The app dies at start on Android 14, typical trace:", ["crash-cause"]),
    ("Your program ends in something like this:", []),
  ])
  func onlyATextForReadersAnnouncesAnExample(said: String, rules: [String]) {
    #expect(self.rules("\(said)\n\n```\n\(Self.go)\n```\n", named: "a.md") == rules)
  }

  private static let picture = String(
    repeating: String(repeating: "Zm9v", count: 19) + "\n", count: 4)

  @Test(arguments: ["image/png", "application/zip"])
  func anAttachmentLeavesTheRestOfTheMail(type: String) {
    let head = "Subject: a\nContent-Type: multipart/mixed; boundary=x\n\n--x\n"
    let part = "Content-Type: \(type)\nContent-Transfer-Encoding: base64\n\n\(Self.picture)\n"
    let mail = head + part + "--x\nContent-Type: text/plain\n\n\(Self.go)\n--x--\n"
    #expect(rules(mail, named: "a.eml") == ["crash-cause"])
    let plain = MailText.decoded(Array(mail.utf8)).map { String(decoding: $0, as: UTF8.self) }
    #expect(plain?.contains("foofoo") == false)
  }

  @Test func aTextInBase64IsDecodedWithWhatStandsBelow() {
    let mail =
      "Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\n\(Self.picture)\n-- \nIda"
    let plain = MailText.decoded(Array(mail.utf8)).map { String(decoding: $0, as: UTF8.self) }
    #expect(plain?.contains("foofoo") == true && plain?.hasSuffix("-- \nIda") == true)
  }
}
