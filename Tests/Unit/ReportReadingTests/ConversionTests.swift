import ProcessTesting
import ReportTrials
import Testing

@Suite struct ConversionTests {
  @Test(arguments: ["off-main-ui", "actor-trap", "plain-crash"])
  func aLogWrittenAsASentryEventIsAReportOfTheSameThread(_ way: String) throws {
    let (log, event) = (Scratch(), Scratch())
    let logPath = log.write([]) + ".log"
    _ = try ChildProcess.run("misbehave", [way, "wrong", logPath])
    let shown = try ChildProcess.run("crashscan", ["show", logPath, "--format", "sentry"])
    let reading = ReportReading(path: event.write(Array(shown.output.utf8)))
    #expect(reading.failure == nil)
    let recording = try #require(reading.recordings.first)
    #expect(recording.format == "sentry-json")
    #expect(recording.extent.events > 0)
    switch way {
    case "actor-trap": #expect(reading.accusations.contains("isolation-trap"))
    case "plain-crash": #expect(recording.crash.contains("SIG") && reading.accusations.isEmpty)
    default: #expect(recording.subject?.hasPrefix("Violation") == true)
    }
  }

  @Test(
    .enabled(if: Relay.isAvailable, "needs scripts/setup check"),
    arguments: ["off-main-ui", "actor-trap", "plain-crash"])
  func sentrysOwnRelayAcceptsTheEvent(_ way: String) throws {
    let (log, event) = (Scratch(), Scratch())
    let logPath = log.write([]) + ".log"
    _ = try ChildProcess.run("misbehave", [way, "wrong", logPath])
    let shown = try ChildProcess.run("crashscan", ["show", logPath, "--format", "sentry"])
    let said = try Relay.check(event.write(Array(shown.output.utf8)))
    #expect(said.status == 0, "\(said.output)\(said.errors)")
  }

  @Test(.enabled(if: Relay.isAvailable, "needs scripts/setup check"))
  func sentrysOwnRelayRefusesWhatIsNoEvent() throws {
    let event = Scratch()
    let wrong = #"{"event_id":"no","level":"loud","exception":{"values":[{"type":7}]}}"#
    #expect(try Relay.check(event.write(Array(wrong.utf8))).status != 0)
  }
}

/// Sentry's relay, where `scripts/setup check` has installed it.
private enum Relay {
  private static let python = Repository.root.path + "/.build/tools/bin/python3"

  static let isAvailable =
    (try? ChildProcess.run(path: python, ["-c", "import sentry_relay"], [:]))?.status == 0

  static func check(_ path: String) throws -> ChildProcess {
    try ChildProcess.run(
      path: python, [Repository.root.path + "/Tests/EndToEnd/Deaths/check-sentry", path], [:])
  }
}
