import AffinityTesting
import Foundation
import ProcessTesting
import Testing

extension InTurn {
  /// Tests that `crashscan repro` writes from the logs of programs that misbehaved.
  @Suite struct ReproTests {
    /// Runs `body` with the log of a program that misbehaves.
    private func withLog<Result>(
      of way: String, _ body: (String) throws -> Result
    ) throws -> Result {
      let directory = FileManager.default.temporaryDirectory
        .appendingPathComponent("mainstay-repro-\(UUID().uuidString)").path
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: directory) }
      let log = "\(directory)/breadcrumbs.log"
      _ = try ChildProcess.run("misbehave", [way, "wrong", log])
      return try body(log)
    }

    /// The number of the first finding of a rule in the report about a log.
    private func number(of rule: String, in log: String) throws -> Int {
      let report = try ChildProcess.run("crashscan", [log, "--format", "json"]).output
      let document = try #require(
        try JSONSerialization.jsonObject(with: Data(report.utf8)) as? [String: Any])
      let findings = try #require(document["findings"] as? [[String: Any]])
      return 1 + (try #require(findings.firstIndex { $0["rule"] as? String == rule }))
    }

    /// What is written for a way to misbehave, and the same with code that has the bug no more.
    private func tests(of example: ReproCase) throws -> (broken: String, fixed: String) {
      let written = try withLog(of: example.way) { log in
        let number = try number(of: example.rule, in: log)
        let tool = try ChildProcess.run("crashscan", ["repro", log, "--finding", "\(number)"])
        #expect(tool.status == 0, "\(tool.errors)")
        return tool.output
      }
      let title = try #require(written.firstRange(of: #/@Test\("finding \d+: [a-z-]+"\)/#))
      let named = { (name: String) in
        written.replacingCharacters(
          in: title, with: "@Test(\"\(name) \(example.way) \(example.rule)\")")
      }
      let callback = try #require(written.firstMatch(of: #/scenario\.callback\((".*?")\)/#)).output
        .1
      let fixed = named("fixed")
      let marker = try #require(fixed.firstRange(of: "// MARK: Your own type goes here"))
      return (
        named("broken"),
        "import Synchronization\n" + fixed[..<marker.lowerBound]
          + """
          private final class Subject: @unchecked Sendable {
          \(example.subject)
          }

          private func setUp(_ scenario: StormScenario) {
          \(example.setUp.replacing("CALLBACK", with: callback))
          }
          """
      )
    }

    @Test(.long) func eachFailsWithTheBugAndPassesWithTheFix() throws {
      // What waits for whom is told by the names of Dispatch's functions.
      let examples = ReproCase.all.filter {
        Toolchain.hasWholeLibraries || $0.rule != "sync-deadlock"
      }
      let client = try ReproClient()
      for example in examples {
        let tests = try tests(of: example)
        try client.add(tests.broken)
        try client.add(tests.fixed)
      }
      let compiler = try client.build()
      try #require(
        compiler.status == 0 && compiler.signal == 0 && compiler.errors.isEmpty,
        "\(compiler.errors)")
      let output = try client.run().everything
      let lines = output.split(separator: "\n")
      for example in examples {
        for (code, outcome) in [("broken", "failed"), ("fixed", "passed")] {
          let test = "\"\(code) \(example.way) \(example.rule)\""
          let said = lines.filter { $0.contains(test) }
          #expect(
            said.contains { $0.contains("\(test) \(outcome)") },
            "not \(outcome): \(said.joined(separator: " | "))\n\(output)")
        }
      }
    }

    @Test func theLifecycleStateIsPartOfTheSchedule() throws {
      try withLog(of: "ui-after-background") { log in
        let written = try ChildProcess.run("crashscan", ["repro", log]).output
        #expect(written.contains("replaying: \"background; on main: show(_:)\""))
      }
    }

    @Test(arguments: ReproCase.refused)
    func whatNoDeliveryRepeatsIsRefusedWithTheReason(way: String, reason: String) throws {
      try withLog(of: way) { log in
        let tool = try ChildProcess.run("crashscan", ["repro", log])
        #expect(tool.status == 3 && tool.output.isEmpty)
        #expect(tool.errors.contains("no test can be written for finding 1"), "\(tool.errors)")
        #expect(tool.errors.contains(reason), "\(tool.errors)")
      }
    }

    @Test func aLogWithoutAFindingIsRefusedWithTheReason() throws {
      let directory = FileManager.default.temporaryDirectory
        .appendingPathComponent("mainstay-repro-\(UUID().uuidString)").path
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: directory) }
      let log = "\(directory)/breadcrumbs.log"
      _ = try ChildProcess.run("misbehave", ["off-main-ui", "right", log])
      let tool = try ChildProcess.run("crashscan", ["repro", log])
      #expect(tool.status == 3 && tool.output.isEmpty)
      #expect(tool.errors.contains("the report has no finding that a test can reproduce"))
    }

    @Test func aClosureIsCalledByTheFunctionAroundIt() throws {
      try withLog(of: "queue-trap") { log in
        let written = try ChildProcess.run("crashscan", ["repro", log]).output
        #expect(!written.contains(#/scenario\.callback\("[^"]*closure/#), "\(written)")
      }
    }

    @Test func aFindingThatIsNotThereIsAMistakeInTheCommand() throws {
      try withLog(of: "main-blocked") { log in
        let tool = try ChildProcess.run("crashscan", ["repro", log, "--finding", "99"])
        #expect(tool.status == 64 && tool.errors.contains("no number 99"))
      }
    }
  }
}
