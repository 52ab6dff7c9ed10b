import Foundation
import ProcessTesting
import Testing
import TruthTable

/// What only a process of its own can show: the environment, and the ways to die.
@Suite("Violations in a process of their own")
struct ChildTests {
  private func run(
    _ scenario: String, _ environment: [String: String] = [:]
  ) throws -> (lines: [String], child: ChildProcess) {
    let child = try ChildProcess.run("affinity-child", [scenario], environment: environment)
    let lines = child.errors.split(separator: "\n").map(String.init)
    return (lines.filter { $0.hasPrefix("mainstay: ") }, child)
  }

  @Test("By default a call site logs once, and life goes on")
  func standard() throws {
    let (lines, child) = try run("expect")
    #expect(child.output == "survived\n" && child.status == 0)
    #expect(lines.count == 1)
    #expect(lines[0].contains("expected=\"main queue\" ran=\"queue child.off (thread "))
  }

  @Test("MAINSTAY_POLICY changes what happens, without a rebuild")
  func policy() throws {
    #expect(try run("expect", ["MAINSTAY_POLICY": "ignore"]).lines == [])
    #expect(try run("expect", ["MAINSTAY_POLICY": "log,always"]).lines.count == 3)
    #expect(try run("expect", ["MAINSTAY_POLICY": "log,every:2"]).lines.count == 2)
    let (lines, child) = try run("expect", ["MAINSTAY_POLICY": "trap"])
    #expect(lines == [] && child.signal == Trap.signal)
    #expect(child.errors.contains("Fatal error: three; times: expected main queue, ran on queue"))
  }

  @Test("MAINSTAY_POLICY can name one affinity")
  func named() throws {
    let only = ["MAINSTAY_POLICY": "ignore; child.work=log"]
    #expect(try run("expect", only).lines == [])
    #expect(try run("queue", only).lines.count == 1)
  }

  @Test("The environment wins over code, and says so once")
  func environmentWins() throws {
    let log = ["MAINSTAY_POLICY": "log"]
    let set = try run("set-policy-twice", log).lines
    #expect(set.count == 2)
    #expect(set[0] == "mainstay: MAINSTAY_POLICY overrides the policy set in code")
    #expect(set[1].contains("message=\"after setting\""))
    #expect(try run("set-policy-twice").lines == [])
    let own = try run("expect-own-policy", log).lines
    #expect(own.count == 2)
    #expect(own[0] == "mainstay: MAINSTAY_POLICY overrides the policy of main")
  }

  @Test("A word that is none is named, and the rest still holds")
  func misspelt() throws {
    let (lines, child) = try run("expect", ["MAINSTAY_POLICY": "lgo; child.work=trap"])
    #expect(child.output == "survived\n")
    #expect(lines.count == 2)
    #expect(lines[0].contains("\"lgo\" is not valid"))
  }

  @Test("MAINSTAY_ALLOW hides known debts, and the end of the process counts them")
  func allow() throws {
    for allowance in ["message:times", "function:expectThrice", "file:Main.swift", "expectThrice"] {
      let (lines, child) = try run("expect", ["MAINSTAY_ALLOW": "file:Other.swift; \(allowance)"])
      #expect(child.output == "survived\n")
      #expect(lines == ["mainstay: the allow list hid 3 violations that match \(allowance)"])
    }
    #expect(try run("expect", ["MAINSTAY_ALLOW": "file:Other.swift"]).lines.count == 1)
  }

  @Test(
    "require says why, and then ends the process, whatever the policy",
    arguments: [
      ("require", "main queue"), ("require-queue", "queue child.work"),
    ])
  func require(scenario: String, expected: String) throws {
    for policy in ["ignore", "log"] {
      let (lines, child) = try run(scenario, ["MAINSTAY_POLICY": policy, "MAINSTAY_ALLOW": "main"])
      #expect(child.signal == Trap.signal)
      #expect(lines.count == 1)
      #expect(lines.first?.contains("expected=\"\(expected)\"") == true)
      #expect(child.errors.contains("Fatal error: "))
    }
    #expect(try run("require-on-main").child.output == "survived\n")
  }

  @Test("Without the layout, require leaves the verdict to libdispatch, and says its doubt first")
  func requireInDoubt() throws {
    let doubt = ["MAINSTAY_QUEUE_CHECK": "exported"]
    let (lines, child) = try run("require", doubt)
    #expect(child.signal == Trap.signal)
    #expect(lines.count == 1 && lines[0].contains("certain=false"))
    #expect(try run("require-on-main", doubt).child.output == "survived\n")
  }

  @Test(
    "With a policy set, an isolation check of the runtime's own speaks before it dies, whatever the policy",
    arguments: [
      "isolated", "assume-isolated",
    ])
  func isolation(scenario: String) throws {
    let (lines, child) = try run(scenario)
    #expect(child.signal == Trap.signal)
    #expect(lines.count == 1)
    #expect(lines.first?.contains("expected=\"main actor\" ran=\"queue child.off (thread ") == true)
    let passing = try run("isolated-on-main")
    #expect(passing.lines == [] && passing.child.output == "survived\n")
  }

  @Test(
    "With soft isolation, a failed check of the runtime's own is reported, and the process goes on",
    arguments: ["isolated", "assume-isolated"])
  func softIsolation(scenario: String) throws {
    let soft = ["MAINSTAY_ISOLATION": "soft"]
    let (lines, child) = try run(scenario, soft)
    #expect(child.signal == 0 && child.status == 0, "\(child.everything)")
    #expect(!lines.isEmpty && lines.allSatisfy { $0.contains("expected=\"main actor\"") })
    #expect(lines.first?.contains("this is a data race") == true)
    let passing = try run("isolated-on-main", soft)
    #expect(passing.lines == [] && passing.child.output == "survived\n")
    let typo = try run("isolated", ["MAINSTAY_ISOLATION": "sofft"])
    #expect(typo.child.signal == Trap.signal)
    #expect(typo.child.errors.contains("use soft or trap"))
  }

  @Test("assumingMainQueue off main is nil and a violation, not a trap")
  func assuming() throws {
    let (lines, child) = try run("assuming")
    #expect(child.output == "nil\nOptional(2)\nsurvived\n")
    #expect(lines.count == 1)
  }

  @Test("A recorder hears arrival, run and drop of each hop under one id, and all the rest")
  func recorded() throws {
    let lines = try run("recorded-hops").child.output.split(separator: "\n").map(String.init)
    #expect(lines.prefix(3) == ["arrival ran 1", "arrival cancelled 2", "arrival dead 3"])
    #expect(
      lines.dropFirst(3) == [
        "arrival ran 4",
        "run ran 1 true", "violation inside stack [2748] sent from [3567, 1] hop 1",
        "drop cancelled 2", "drop dead 3",
        "run ran 4 true", "work layout true", "access count true",
      ])
  }

  @Test(
    "Hops arrive on the main queue, in order, in each kind of program, from code in Swift 5 mode",
    arguments: [
      ("affinity-child", "hops-under-dispatchMain"), ("affinity-child", "hops-under-runLoop"),
      ("truth-row-async", "hops"),
    ])
  func kinds(program: String, scenario: String) throws {
    let child = try ChildProcess.run(program, [scenario])
    #expect(child.output == "loaded true true\n" && child.errors == "")
  }

  @Test("Strict mode walks the table without a trap of its own", .long)
  func strict() throws {
    for context in Context.all where !context.needsMainRunLoop {
      let child = try ChildProcess.run(
        "truth-row", ["dispatchMain", "top", context.name],
        environment: ["MAINSTAY_QUEUE_CHECK": "strict"])
      // A disagreement would trap before the row is reported.
      #expect(child.output.hasSuffix(" -\n"), "\(context.name): \(child.errors)")
    }
  }

  @Test("Without the layout a yes can still be trusted", .long)
  func noFalseYes() throws {
    var missed = 0
    for context in Context.all where !context.needsMainRunLoop {
      let child = try ChildProcess.run(
        "truth-row", ["dispatchMain", "top", context.name],
        environment: ["MAINSTAY_QUEUE_CHECK": "exported"])
      let saidYes = child.output.hasPrefix("passes ")
      if saidYes { #expect(child.signal == 0, "\(context.name)") }
      if !saidYes && child.signal == 0 { missed += 1 }
    }
    // It is known to be blind inside `sync` from the main queue.
    #expect(missed > 0)
  }
}
