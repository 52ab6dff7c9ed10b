import CrashAnalysis
import Foundation
import IncidentModel
import ProcessTesting
import Testing

@testable import CrashscanOutput

/// What the report says of how to see a finding again, and what is written then.
@Suite(.serialized) struct ReproductionTests {
  @Test(arguments: [
    ("wrong-queue", "DispatchQueue(label: \"com.example.repository\")", "Affinity.queue(home)"),
    ("wrong-actor", "private actor Home {}", "Affinity.actor(home)"),
    ("wrong-main", "func calledBack() {", "Affinity.main"),
  ])
  func theTestHasTheHomeThatWasLeft(_ way: String, declared: String, affinity: String) throws {
    let entries = try report(on: logOfMisbehaviour(way)).entries
    let finding = try #require(entries.map(\.finding).first { $0.rule == "wrong-executor" })
    let schedule = try #require(ReproSchedule(finding, LifecycleMoves()))
    let text = ReproWriter(finding, number: 1, schedule).write()
    #expect(text.contains(declared), "\(text)")
    #expect(text.contains("\(affinity).expect("), "\(text)")
  }

  @Test func aThreadIsNoHomeThatATestCouldGive() throws {
    let entries = try report(on: logOfMisbehaviour("wrong-thread")).entries
    let finding = try #require(entries.map(\.finding).first { $0.rule == "wrong-executor" })
    #expect(finding.home == nil && ReproScenario(finding) == nil)
  }

  /// A queue's label is no callback.
  @Test func twoQueuesThatWaitedForEachOtherAreNotRepeated() {
    let finding = Finding(
      rule: "sync-deadlock", severity: .error, title: "Two queues waited for each other",
      culprit: nil, api: "com.example.rows", fix: Finding.Fix(""), identity: "queues",
      defect: "deadlock")
    #expect(ReproSchedule(finding, LifecycleMoves()) == nil)
    #expect(ReproScenario.refusal(of: finding).hasPrefix("two queues"))
  }

  private func crash(
    _ death: String, on queue: String? = "com.example.feed", in call: String?,
    file: String = "/src/Feed.swift"
  ) -> Finding {
    let place = { CodePlace(function: $0, module: "Feed", file: file, line: 7) }
    var finding = Finding(
      rule: "crash-cause", severity: .error, title: "It died", culprit: place("Feed.row(at:)"),
      api: nil, fix: Finding.Fix("Mend it"), identity: death, defect: "feed")
    finding.queue = queue
    finding.call = call.map(place)
    return finding
  }

  @Test func ofACrashTheCallThatEndedInItIsMadeAgain() throws {
    let finding = crash("out-of-bounds", in: "Feed.received()")
    let schedule = try #require(ReproSchedule(finding, LifecycleMoves()))
    #expect(schedule.text == "on queue: Feed.received()")
    let text = ReproWriter(finding, number: 1, schedule).write()
    #expect(text.contains("forbidding: \"crash-cause\""), "\(text)")
    #expect(text.contains("fatalError(\"Feed.row(at:)\")"), "\(text)")
    let closure = crash("unwrapped-nil", in: "closure #1 in Screen.open()")
    #expect(ReproSchedule(closure, LifecycleMoves())?.text == "on queue: Screen.open()")
    let task = "Swift global concurrent queue"
    let twice = crash("continuation-resumed-twice", on: task, in: "Request.timedOut()")
    #expect(
      ReproSchedule(twice, LifecycleMoves())?.text
        == "on task: asked; on task, twice: Request.timedOut()")
  }

  @Test func aCrashThatNoCallExplainsIsNotRepeated() {
    let refusals = [
      (
        crash("out-of-bounds", on: "com.apple.main-thread", in: nil),
        "the process crashed on the main thread"
      ),
      (crash("heap-corruption", in: nil), "the call in which the process died need not be"),
      (crash("out-of-bounds", on: nil, in: nil), "the log does not show that a callback"),
      (
        crash("out-of-bounds", in: "feed_received", file: "/src/feed.c"),
        "the process crashed in code that a Swift test cannot call"
      ),
      (
        crash("out-of-bounds", in: "closure #1 in top-level code"),
        "the process crashed in code that a Swift test cannot call"
      ),
    ]
    for (finding, reason) in refusals {
      #expect(ReproSchedule.first(of: [finding], LifecycleMoves()) == nil)
      #expect(ReproScenario.refusal(of: finding).hasPrefix(reason))
    }
  }

  @Test func theRuleThatKnowsTheCallbackGoesBeforeTheCrash() {
    let death = crash("out-of-bounds", in: "Feed.received()")
    var violation = crash("out-of-bounds", in: nil)
    violation.rule = "unhopped-callback"
    let first = ReproSchedule.first(of: [death, violation], LifecycleMoves())
    #expect(first?.finding.rule == "unhopped-callback")
  }

  /// A report prints no command that refuses.
  @Test func whatIsNoFunctionsCallHasNoCommand() throws {
    let log = try logOfMisbehaviour("script-crash")
    let report = try report(on: log)
    let entry = try #require(report.entries.first { $0.finding.rule == "crash-cause" })
    #expect(entry.finding.queue == "com.example.script" && entry.finding.call != nil)
    let lines = Repetition(report, reading: []).lines(for: entry)
    #expect(!lines.contains { $0.map(\.string).contains("repro") })
    let run = try ChildProcess.run("crashscan", ["repro", log])
    #expect(
      run.status == 3
        && run.errors.contains("the process crashed in code that a Swift test cannot call"),
      "\(run.errors)")
  }

  /// The commands that a report prints, as a shell has them.
  private func commands(in report: String) -> [String] {
    report.split(separator: "\n").filter { $0.contains("crashscan repro ") }.map { line in
      String(line.trimmingPrefix(while: \.isWhitespace))
        .replacing(" writes a test that repeats the bug", with: "")
    }
  }

  private func shell(_ script: String, _ words: [String] = []) throws -> ChildProcess {
    let path = "\(ChildProcess.directory):/usr/bin:/bin"
    return try ChildProcess.run(path: "/bin/sh", ["-c", script, "sh"] + words, ["PATH": path])
  }

  /// The numbers of such a report are those of no input alone.
  @Test func thePrintedCommandsRunAndAreOfTheirFindings() throws {
    let place = temporary("it's a place")
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    let ways = ["off-main-ui", "wrong-queue", "affinity-drift"]
    for way in ways {
      try FileManager.default.moveItem(
        atPath: logOfMisbehaviour(way), toPath: "\(place)/-\(way) log")
    }
    let report = try shell(
      """
      cd "$1" && crashscan --verbose --input breadcrumbs --ignore unhopped-callback . ; crashscan --verbose "$1"
      crashscan --verbose -- "-off-main-ui log"
      """, [place])
    let commands = commands(in: report.output)
    #expect(commands.count > 2 * ways.count, "\(report.output)\(report.errors)")
    #expect(commands.contains { $0.contains("--input breadcrumbs") })
    for command in commands {
      let run = try shell("cd \"$1\" && \(command)", [place])
      #expect(run.status == 0, "\(command): \(run.errors)")
      #expect(run.output.contains("forbidding: "), "\(command)")
    }
  }

  @Test func aFindingIsChosenByNumberOrFingerprint() throws {
    let log = try logOfMisbehaviour("affinity-drift")
    let json = try ChildProcess.run("crashscan", [log, "--format", "json"]).output
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    let findings = try #require(document["findings"] as? [[String: Any]])
    let place = try #require(findings.firstIndex { $0["rule"] as? String == "affinity-drift" })
    let fingerprint = try #require(findings[place]["fingerprint"] as? String)
    let byNumber = try ChildProcess.run("crashscan", ["repro", log, "--finding", "\(place + 1)"])
    #expect(byNumber.status == 0, "\(byNumber.errors)")
    for name in [fingerprint, String(fingerprint.prefix(8)), fingerprint.uppercased()] {
      let run = try ChildProcess.run("crashscan", ["repro", log, "--finding", name])
      #expect(run.output == byNumber.output, "\(run.errors)")
    }
    let other = fingerprint.hasPrefix("ffffffff") ? "eeeeeeee" : "ffffffff"
    let none = try ChildProcess.run("crashscan", ["repro", log, "--finding", other])
    #expect(none.status == 64 && none.errors.contains("none with the fingerprint \(other)"))
    for wrong in ["0", "abc", "\(fingerprint)0", "it"] {
      let run = try ChildProcess.run("crashscan", ["repro", log, "--finding", wrong])
      #expect(run.status == 64 && run.errors.contains("digits of a fingerprint"), "\(run.errors)")
    }
  }
}
