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
}
