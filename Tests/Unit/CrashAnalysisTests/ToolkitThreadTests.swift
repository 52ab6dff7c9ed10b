import CLogFormat
import IncidentModel
import Testing

/// The code that a finding about a toolkit's call names as the start of its thread.
@Suite struct ToolkitThreadTests {
  private func steps(onThreadNamed name: String) throws -> [String] {
    let run = MadeUpRun(.clean)
    run.threads[1] = IncidentThread(ordinal: 1, kernelID: 8, name: name)
    run.add(
      .error, "gtk_label_set_text",
      [
        (MS_KEY_TOOLKIT, .string("GTK")), (MS_KEY_OCCURRENCE, .integer(1)),
        (MS_KEY_OWNER, .integer(7)), (MS_KEY_STARTED_BY, .integer(7)),
      ], category: MS_WORD_TOOLKIT, stack: ["Till.show() at 5", "Till.load() at 9"])
    return try #require(try run.finding("toolkit-off-thread")).cause.map(\.text)
  }

  @Test func aThreadOfTheProgramWasStartedForItsWork() throws {
    #expect(try steps(onThreadNamed: "loader").contains("started the thread"))
  }

  @Test(arguments: ["-qos.overcommit", "oot.default-qos"])
  func aWorkerOfDispatchWasStartedForAnyWork(name: String) throws {
    #expect(try !steps(onThreadNamed: name).contains("started the thread"))
  }
}
