import CrashAnalysis
import Foundation
import IncidentModel
import LogReading
import ProcessTesting
import Testing

@Suite("A shutdown or a request that lasts", .enabled(if: !isSanitized), .long)
struct SlowShutdownTests {
  @Test(
    "names the two threads that wait for each other, and the places of both",
    arguments: [
      ("queues-off-pool", ["pay()", "refund()"]), ("queues-on-pool", ["pay()", "refund()"]),
      ("queues-on-known-pool", ["pay()", "refund()"]),
      ("locks-off-pool", ["lockBoth(_:)"]),
    ])
  func deadlock(scene: String, functions: [String]) throws {
    let finding = try #require(try findings(in: scene).first)
    #expect(finding.rule == "sync-deadlock" && finding.severity == .error)
    #expect(finding.identity != "pool")
    if scene.hasSuffix("pool"), scene.contains("-on-") {
      // Whether the watch knew the threads of the pool or not, their wait is an effect.
      let rules = Set(finding.merged?.map(\.rule) ?? [])
      #expect(rules.contains("pool-blocked") || rules.contains("sync-deadlock"))
    }
    let places = finding.cause.compactMap(\.place)
    for function in functions { #expect(places.contains { $0.name.hasSuffix(function) }) }
    #expect(Set(finding.cause.map(\.thread)).count == 2)
    if scene != "locks-off-pool" {
      let taken = finding.cause.filter { $0.text.hasPrefix("holds ") }.compactMap(\.place?.source)
      #expect(
        taken == ["queues[0].sync {", "queues[1].sync {"]
          || taken == ["queues[1].sync {", "queues[0].sync {"])
    }
    #expect(finding.chain?.last?.text.hasPrefix("killed ") == true, "\(finding.title)")
  }

  @Test("names the function that computes in a cancelled task")
  func cancelled() throws {
    let finding = try #require(try findings(in: "spinning").first)
    #expect(finding.rule == "busy-task" && finding.severity == .error)
    // On a busy machine, the samples may stand in the task's closure.
    let places = [finding.culprit].compactMap(\.self) + finding.cause.compactMap(\.place)
    #expect(places.contains { $0.name.hasSuffix("poll()") }, "\(places) \(finding.title)")
    #expect(finding.title.contains("goes on computing though task"))
    #expect(finding.evidence.contains { $0.text.contains("had computed for most of") })
  }

  @Test(
    "is no deadlock and no computation of a cancelled task if threads wait, work or compute",
    arguments: ["contending", "draining", "computing"])
  func others(scene: String) throws {
    let findings = try findings(in: scene)
    #expect(findings.map(\.rule) == ["unclean-end"])
    // On a busy machine, threads that contend may stand for a while, too.
    let isTold = findings.first?.evidence.contains {
      $0.text.contains(" after the process was asked to end, ")
    }
    #expect(isTold == true || scene == "contending")
  }

  @Test("of a service is recorded without a signal, and until the service has ended")
  func unannounced() throws {
    let finding = try #require(try findings(in: "unannounced", asks: false).first)
    #expect(
      finding.title.hasPrefix("Service “mails” waited in Mails.run() ("), "\(finding.title)")
    #expect(finding.title.contains(" → the shutdown had to wait → killed "))
    #expect(finding.title.hasSuffix(" after the request to end"))

    let log = TestFiles.path("unannounced-and-ended.log")
    try begin("unannounced-and-ended", log, asks: false).waitUntilItIsDead()
    let crumbs = try LogReader(path: log).read().crumbs
    #expect(crumbs.contains { $0.message == "service ends" })
    #expect(!crumbs.contains { $0.message == "tasks wait" })
  }

  @Test("leaves no finding if the process ends by itself")
  func ending() throws {
    let log = TestFiles.path("ending.log")
    let service = try begin("ending", log)
    service.waitUntilItIsDead()
    let findings = Report(try analyzed(log)).entries.map(\.finding)
    #expect(findings.map(\.rule) == [])
  }

  @Test(
    "A request that waits in a deadlock names both threads, though nothing asked the process to end"
  )
  func stuckRequest() throws {
    let finding = try #require(try findings(in: "stuck-request", during: "request").first)
    #expect(finding.rule == "sync-deadlock" && finding.severity == .error)
    let places = finding.cause.compactMap(\.place)
    for function in ["pay()", "refund()"] {
      #expect(places.contains { $0.name.hasSuffix(function) })
    }
  }

  @Test("A request that only sleeps is no deadlock")
  func slowRequest() throws {
    let rules = try findings(in: "slow-request", during: "request").map(\.rule)
    #expect(rules == ["unclean-end"])
  }

  @Test("Requests that are answered in time are not listed, however many follow one another")
  func quickRequests() throws {
    let log = TestFiles.path("quick-requests.log")
    let service = try begin("quick-requests", log, asks: false)
    // Three limits, by the requests that each take a fifth of a second.
    for _ in 0..<30 { try #require(service.line() == "answered") }
    kill(service.id, SIGKILL)
    service.waitUntilItIsDead()
    let crumbs = try LogReader(path: log).read().crumbs
    #expect(!crumbs.contains { $0.category == "waiting" && $0["during"] == .string("request") })
  }

  @Test("A look at a process whose shutdown lasts shows one finding, the cause")
  func attached() throws {
    let log = TestFiles.path("attached.log")
    let service = try begin("queues-on-known-pool", log)
    defer {
      kill(service.id, SIGKILL)
      service.waitUntilItIsDead()
    }
    try #require(
      try comesToHold {
        try LogReader(path: log).read().crumbs.contains { $0["during"] == .string("shutdown") }
      })
    let text = try ChildProcess.run(
      "crashscan", ["attach", "\(service.id)"], environment: ["NO_COLOR": "1"])
    #expect(text.status == 1, "\(text.everything)")
    #expect(text.output.contains(#/: was asked to end [0-9.]+ s ago by SIGTERM .*, still running/#))
    #expect(text.output.contains("\n1 finding\n"), "\(text.everything)")
    #expect(text.output.contains("Two threads wait for each other"), "\(text.everything)")
    #expect(text.output.contains("→ the shutdown"), "\(text.everything)")
  }

  private func begin(_ scene: String, _ log: String, asks: Bool = true) throws -> Program {
    let service = try Program(command: ["\(ChildProcess.directory)/waiting", scene, log])
    try #require(service.line() == "installed")
    if asks {
      try #require(service.line() == "ready")
      kill(service.id, SIGTERM)
    }
    return service
  }

  private func findings(
    in scene: String, during: String = "shutdown", asks: Bool = true
  ) throws -> [Finding] {
    let log = TestFiles.path("\(scene).log")
    let service = try begin(scene, log, asks: asks && during == "shutdown")
    try #require(
      try comesToHold {
        try LogReader(path: log).read().crumbs.contains {
          $0.message == "tasks wait" && $0["during"] == .string(during)
        }
      })
    kill(service.id, SIGKILL)
    service.waitUntilItIsDead()
    return Report(try analyzed(log)).entries.map(\.finding)
  }
}
