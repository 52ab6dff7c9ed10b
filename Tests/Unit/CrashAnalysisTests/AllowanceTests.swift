import CrashAnalysis
import IncidentModel
import Testing

@Suite("Findings that are allowed") struct AllowanceTests {
  private func finding(
    _ function: String, file: String? = nil, rule: String = "blocking-call",
    title: String = "read blocked a thread of the pool"
  ) -> Finding {
    Finding(
      rule: rule, severity: .error, title: title,
      culprit: CodePlace(function: function, module: "till", file: file, line: 3), api: nil,
      fix: Finding.Fix("Await."), identity: "", defect: "")
  }

  @Test(
    "By function, with or without its type and its labels, and its closures",
    arguments: [
      ("reload", "reload()", true), ("reload", "Table.reload(_:)", true),
      ("Table.reload", "Table.reload(_:)", true), ("reload(_:)", "Table.reload(_:)", true),
      ("reload", "closure #1 in Table.reload(_:)", true),
      ("load", "reload()", false), ("reload", "Table.reloadAll()", false),
      ("reload(_:)", "Table.reload(_:after:)", false), ("Table", "Table.reload(_:)", false),
      ("Table.reload", "StockTable.reload(_:)", false),
    ])
  func byFunction(pattern: String, function: String, isCovered: Bool) throws {
    let allowance = try #require(Allowance("function:\(pattern)"))
    #expect(allowance.covers(finding(function)) == isCovered)
    #expect(try #require(Allowance(pattern)).covers(finding(function)) == isCovered)
  }

  @Test(
    "By file, as its path ends",
    arguments: [("Legacy.swift", true), ("App/Legacy.swift", true), ("egacy.swift", false)])
  func byFile(pattern: String, isCovered: Bool) throws {
    let allowance = try #require(Allowance("file: \(pattern)"))
    #expect(allowance.covers(finding("a()", file: "/src/App/Legacy.swift")) == isCovered)
    #expect(!allowance.covers(finding("a()")))
  }

  @Test("By a text of the message") func byMessage() throws {
    #expect(try #require(Allowance("message:read blocked")).covers(finding("a()")))
    #expect(!(try #require(Allowance("message:flock")).covers(finding("a()"))))
  }

  @Test("What a run died of is not allowed, whatever it is in")
  func neverADeath() throws {
    for rule in ["crash-cause", "isolation-trap", "sync-deadlock", "unclean-end"] {
      #expect(!(try #require(Allowance("reload")).covers(finding("reload()", rule: rule))))
    }
  }

  @Test("Several, and what is none") func list() {
    #expect(Allowance.list("function:reload; file:Legacy.swift ;message:old layout")?.count == 3)
    for text in ["", " ; ", "function:", "file:A.swift;message: "] {
      #expect(Allowance.list(text) == nil, "\(text)")
    }
  }

  @Test("They do not count, and are told apart from the baseline's") func inAReport() throws {
    let run = MadeUpRun(.clean)
    run.add(
      .error, "read", [("nanoseconds", .integer(9_000_000)), ("executor", .string("pool"))],
      category: "blocking", stack: ["libc.so.6!read", "Till.reload()"])
    let summary = try Analyzer().analyze(run, input: "till.log")
    #expect(Report(summary).worst != nil)
    let report = Report(summary, allowed: [try #require(Allowance("reload"))])
    #expect(report.worst == nil)
    #expect(report.entries.allSatisfy { $0.isAllowed && !$0.isInBaseline })
  }
}
