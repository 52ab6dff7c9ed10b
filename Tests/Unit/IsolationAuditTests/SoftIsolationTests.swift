import Foundation
import ProcessTesting
import Testing

/// `crashscan run --isolation soft` on a program whose checks fail.
@Suite(.serialized) struct SoftIsolationTests {
  private static let program = Result {
    let built = try ChildProcess.run(
      path: Repository.root.appendingPathComponent("scripts/preload").path,
      ["\(ChildProcess.directory)/libmainstay-isolation.so"])
    try #require(built.status == 0, "\(built.everything)")
    return try AuditedSources.build("Soft/Sites.swift", options: ["-Onone"])
  }

  /// The sites of the program, each with the text of the line that fails a check; nil if the line is generated.
  private static let sites: [(name: String, line: String?)] = [
    ("closure", "case \"closure\""), ("generic", "case \"generic\""), ("method", nil),
    ("witness", nil), ("getter", "case \"getter\""), ("precondition", "case \"precondition\""),
    ("assumption", "case \"assumption\""), ("actor", "case \"actor\""), ("ledger", "func post"),
    ("repeated", "case \"repeated\""),
  ]

  /// The number of the line with a text.
  private func number(of text: String) throws -> Int? {
    let source = try String(
      contentsOfFile: "\(AuditedSources.folder)/Soft/Sites.swift", encoding: .utf8)
    return source.components(separatedBy: "\n").firstIndex { $0.contains(text) }.map { $0 + 1 }
  }

  private func run(_ site: String, log: String) throws -> ChildProcess {
    try ChildProcess.run(
      "crashscan", ["run", "--isolation", "soft", "--log", log, "--", Self.program.get(), site],
      environment: ["SWIFT_BACKTRACE": "enable=no"])
  }

  /// The lines of the findings in a log.
  private func lines(in log: String) throws -> Set<Int> {
    let report = try ChildProcess.run("crashscan", [log, "--format", "json"])
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(report.output.utf8)) as? [String: Any])
    let findings = try #require(document["findings"] as? [[String: Any]])
    return Set(findings.compactMap { ($0["culprit"] as? [String: Any])?["line"] as? Int })
  }

  private func count(_ run: ChildProcess) -> Int {
    run.errors.split(separator: "\n").count { $0.contains("mainstay: a check failed") }
  }

  @Test(arguments: sites) func failedChecksAreRecordedAndDoNotTrap(
    site: (name: String, line: String?)
  ) throws {
    let hard = try ChildProcess.run(
      path: Self.program.get(), [site.name], ["SWIFT_BACKTRACE": "enable=no"])
    #expect(hard.signal != 0, "\(site.name) does not trap")
    let log = TestFiles.path("isolation.log")
    let soft = try run(site.name, log: log)
    #expect(soft.status == 0 && soft.signal == 0, "\(soft.everything)")
    #expect(soft.output == "\(site.name) went on\n")
    // In a debug build, assumeIsolated and its closure check separately.
    #expect((1...2).contains(count(soft)), "\(soft.errors)")
    let found = try lines(in: log)
    if let text = site.line, let line = try number(of: text) {
      #expect(found.contains(line), "\(site.name): \(found), not \(line)")
    }
  }

  @Test(arguments: ["main-closure", "main-assumption", "main-task"])
  func workOfTheMainQueueFailsNoCheck(site: String) throws {
    let log = TestFiles.path("isolation.log")
    let soft = try run(site, log: log)
    #expect(soft.status == 0 && soft.output == "\(site) went on\n", "\(soft.everything)")
    #expect(count(soft) == 0, "\(soft.errors)")
  }

  @Test(arguments: ["soft", "trap"])
  func programWithMainstayIsRecordedToo(mode: String) throws {
    _ = try Self.program.get()
    let log = TestFiles.path("isolation.log")
    let run = try ChildProcess.run(
      "crashscan",
      [
        "run", "--isolation", "soft", "--log", log, "--",
        "\(ChildProcess.directory)/affinity-child", "assume-isolated",
      ], environment: ["MAINSTAY_ISOLATION": mode, "SWIFT_BACKTRACE": "enable=no"])
    #expect(run.status == 0 && run.signal == 0, "\(run.everything)")
    #expect((1...2).contains(count(run)), "\(run.errors)")
    #expect(!run.errors.contains("failed and traps"), "\(run.errors)")
    #expect(try !lines(in: log).isEmpty)
  }

  @Test func optionsOfOtherRunsAreRefused() throws {
    let run = try ChildProcess.run(
      "crashscan", ["run", "--isolation", "soft", "--gtk", "--", "true"])
    #expect(run.status == 64)
    #expect(run.errors.contains("cannot be combined with --gtk"))
  }
}
