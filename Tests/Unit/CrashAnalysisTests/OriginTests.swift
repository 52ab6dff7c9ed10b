import IncidentModel
import Testing

/// Where a callback was registered, as a log says it that may say anything.
@Suite("Origins of callbacks") struct OriginTests {
  private func finding(_ origin: String) throws -> Finding? {
    let run = MadeUpRun()
    run.add(
      .violation, "callback of downloads",
      [("expected", .string("main queue")), ("origin", .string(origin))], hop: 9,
      stack: ["closure #1 in Board.load()", "Download.finish()"])
    return try run.finding("off-main-ui")
  }

  @Test(
    "An origin that is written as none is shown as it is, and names no place",
    arguments: [
      "registered at on x", "registered at  on ", "registered on x at App/Feed.swift:3",
      "registered at ", " at  on ", "registered", "",
    ])
  func hostile(_ text: String) throws {
    let finding = try #require(try finding(text))
    #expect(finding.fix.edits.isEmpty)
  }

  @Test("One that is written as origins are names its place")
  func place() throws {
    let finding = try #require(
      try finding("registered at App/Feed.swift:3 on queue net (thread 4)"))
    let step = try #require(finding.cause.first { $0.text == "registered" })
    #expect(step.place?.file == "App/Feed.swift" && step.place?.line == 3)
    #expect(step.thread == "queue net (thread 4)")
  }

  @Test(
    "A violation of an actor names its task, where its number can be one",
    arguments: [4, -4])
  func task(_ task: Int) throws {
    let run = MadeUpRun()
    run.add(
      .violation, "a price is set",
      [
        ("expected", .string("actor Ledger")), ("task", .integer(Int64(task))),
        ("taskName", .string("GET /stock")),
      ], stack: ["Prices.set(_:)", "Board.load()"])
    let texts = try #require(try run.finding("wrong-executor")).evidence.map(\.text)
    let told = texts.filter { $0.hasPrefix("in task") }
    #expect(told == (task == 4 ? ["in task 4 “GET /stock”"] : []))
  }
}
