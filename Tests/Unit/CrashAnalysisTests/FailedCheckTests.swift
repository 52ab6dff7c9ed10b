import IncidentModel
import Testing

@testable import CrashAnalysis

/// Which check ended a process, by what it said it expected.
@Suite("Checks that ended a process") struct FailedCheckTests {
  private func finding(_ rule: String, saying text: String) throws -> Finding {
    let run = MadeUpRun(.crash(signal: 4, .certain))
    run.die(of: 4, saying: text)
    return try #require(try run.finding(rule))
  }

  @Test("A thread's check is one defect in every run, and nothing can be sent to a thread")
  func thread() throws {
    let findings = try [41, 97].map {
      try finding(
        "crash-cause", saying: "draws: expected render (thread \($0)), ran on queue net (thread 7)")
    }
    #expect(
      findings[0].title.hasPrefix("The process died in a check of thread “render”: "),
      "\(findings[0].title)")
    #expect(Set(findings.map(\.title)).count == 1)
    #expect(Set(findings.map(\.fingerprint)).count == 1)
    #expect(findings[0].fix.text.contains("an affinity cannot send work to a thread"))
    #expect(!findings[0].fix.text.contains("actor"))
    let trap = try finding(
      "isolation-trap", saying: "draws: expected render (thread 41), ran on queue net (thread 7)")
    #expect(trap.title.contains("; thread “render” was expected, and"))
  }

  @Test(
    "Every place that a check may name has words and a fix of its own",
    arguments: [
      ("main queue", "the main queue", "DispatchQueue.main.async|main queue"),
      ("main actor", "the main actor", "main queue"),
      ("queue net", "queue net", "async of that queue"),
      ("actor Feed", "actor Feed", "await a method of the actor"),
      ("event loop", "its event loop", "eventLoop.execute"),
      ("thread that owns the object", "the thread that owns the object", "on the thread that owns"),
      ("another executor", "an actor's isolation", "with await"),
    ])
  func places(_ expected: String, _ words: String, _ fix: String) throws {
    let run = MadeUpRun(.reported)
    run.die(of: 5, expecting: expected, [run.thread(3, ["Board.draw()", "Feed.load()"])])
    let finding = try #require(try run.finding("crash-cause"))
    #expect(
      finding.title.hasPrefix("The process died in a check of \(words): "), "\(finding.title)")
    let fixes = fix.split(separator: "|")
    #expect(fixes.contains { finding.fix.text.contains($0) }, "\(finding.fix.text)")
    #expect(finding.fix.text.hasSuffix("Keep the check: it caught a real bug."))
  }

  @Test("What names no place is none, and no two places have one key")
  func homes() {
    for text in ["render", "a queue or an actor", "an answer on queue net", "", "x (thread y)"] {
      #expect(Home(expected: text) == nil, "\(text)")
    }
    #expect(Home(expected: "queue net (thread 4)") == .thread("queue net"))
    let homes: [Home] = [
      .main, .mainActor, .queue(""), .queue("main"), .actor("main"), .thread("main"),
      .eventLoop(""),
      .owner, .executor,
    ]
    #expect(Set(homes.map(\.key)).count == homes.count)
    #expect(Set(homes.map(\.words)).count == homes.count)
  }

  @Test("The way to a check is told by its innermost functions, the outer ones first")
  func way() throws {
    let run = MadeUpRun(.crash(signal: 4, .certain))
    let ways = (1...6).map { "step\($0)()" }
    run.die(of: 4, [run.thread(3, ["libdispatch.so!_dispatch_assert_queue_fail"] + ways)])
    let cause = try #require(try run.finding("isolation-trap")).cause
    #expect(cause.map(\.place?.function) == ["step4()", "step3()", "step2()", "step1()"])
  }
}
