import IncidentModel
import Testing

@Suite("Words that all output shares")
struct WordsTests {
  @Test(
    "A span of time has three digits at most, and its largest unit",
    arguments: [
      (0, "0 ns"), (999, "999 ns"), (1_000, "1 µs"), (341_200, "341 µs"), (12_340_000, "12.3 ms"),
      (999_400, "999 µs"), (999_500, "1 ms"), (999_499_999, "999 ms"), (999_500_000, "1 s"),
      (1_240_000_000, "1.2 s"), (59_949_000_000, "59.9 s"), (59_950_000_000, "1 min"),
      (303_000_000_000, "5 min 3 s"), (7_500_000_000_000, "2 h 5 min"),
      (273_600_000_000_000, "3 d 4 h"),
    ])
  func spans(_ nanoseconds: Int, _ text: String) {
    #expect(TimeSpan.text(nanoseconds: UInt64(nanoseconds)) == text)
  }

  @Test("The longest span of time is a number of days")
  func longestSpan() {
    #expect(TimeSpan.text(nanoseconds: .max).hasPrefix("213503 d"))
  }

  @Test("Signals have this system's names and numbers, and Apple's where a report is Apple's")
  func signals() {
    #expect(SignalName.of(11) == "SIGSEGV")
    #expect(SignalName.of(10) == "SIGUSR1" && SignalName.ofApple(10) == "SIGBUS")
    #expect(SignalName.of(40) == "signal 40")
    #expect(SignalName.number(of: "SIGSYS") == 31 && SignalName.number(of: "SIGWHAT") == nil)
  }
}
