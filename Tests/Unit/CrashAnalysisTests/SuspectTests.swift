import IncidentModel
import Testing

/// Violations that may turn out to be linked to a crash.
@Suite("Violations on a crash's own stack") struct SuspectTests {
  private let stack = ["Store.save(_:)", "closure #1 in Feed.load()"]

  private func violate(
    _ run: MadeUpRun, from file: String, _ more: [(key: String, value: CrumbValue)] = []
  ) {
    run.add(
      .violation, "rows are saved",
      [
        ("expected", .string("queue home")),
        ("origin", .string("enqueued at App/\(file):1 on queue net (thread 4)")),
      ] + more, stack: stack)
  }

  private func cause(_ run: MadeUpRun) throws -> Finding {
    run.die(of: 11, address: 1 << 30, [run.thread(3, stack)])
    return try #require(try run.finding("crash-cause"))
  }

  @Test("The last of many alike came the way that its own crumb says")
  func lastOfMany() throws {
    let run = MadeUpRun(.crash(signal: 11, .certain))
    for file in ["A.swift", "B.swift", "C.swift"] { violate(run, from: file) }
    let files = try cause(run).cause.compactMap(\.place?.file)
    #expect(files == ["App/C.swift"])
  }

  @Test("One that is not certain is neither a finding nor a link")
  func uncertain() throws {
    let run = MadeUpRun(.crash(signal: 11, .certain))
    violate(run, from: "A.swift", [("certain", .boolean(false))])
    let finding = try cause(run)
    #expect(finding.evidence.contains { $0.text.hasPrefix("no link between this crash") })
    let again = MadeUpRun()
    violate(again, from: "A.swift", [("certain", .boolean(false))])
    #expect(try again.finding("wrong-executor") == nil)
  }

  @Test("A background task that was begun later is none of what came before it")
  func laterTask() throws {
    let run = MadeUpRun(.crash(signal: 11, .certain))
    run.add(.lifecycle, "did enter background")
    run.add(.backgroundTask, "early", [("task", .integer(1)), ("step", .string("begin"))])
    violate(run, from: "A.swift")
    run.add(.backgroundTask, "late", [("task", .integer(2)), ("step", .string("begin"))])
    let texts = try cause(run).cause.map(\.text)
    #expect(texts.contains("began background task “early”"), "\(texts)")
    #expect(!texts.contains { $0.contains("late") })
  }
}
