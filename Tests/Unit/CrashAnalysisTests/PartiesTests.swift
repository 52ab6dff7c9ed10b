import Foundation
import IncidentModel
import ProcessTesting
import Testing

@testable import CrashAnalysis

/// The other party of what takes two, as a run's stacks and the source at hand show it.
@Suite struct PartiesTests {
  /// A run whose stacks are in this source.
  private func run(in source: String, _ ending: RunEnding = .crash(signal: 4, .certain)) throws
    -> MadeUpRun
  {
    let run = MadeUpRun(ending)
    run.file = TestFiles.path("Till.swift")
    try source.write(toFile: run.file, atomically: true, encoding: .utf8)
    return run
  }

  private func texts(_ finding: Finding) -> [String] {
    finding.evidence.map { "\($0.text) @\($0.place?.line ?? 0)" }
  }

  private static let misuse = "SWIFT TASK CONTINUATION MISUSE: load(_:) "

  @Test("A continuation that its own function drops is lost where its task waits")
  func lostAtOnce() throws {
    let run = try run(
      in: """
        func load(_ answers: Bool) async {
          await withCheckedContinuation { continuation in
            if answers { continuation.resume() }
          }
        }
        """, .clean)
    run.add(
      .error, Self.misuse + "leaked its continuation without resuming it.",
      category: "swift-runtime", stack: ["libswift_Concurrency.so!withCheckedContinuation"],
      awaiting: ["load(_:) at 2", "main() at 9"])
    let finding = try #require(try run.finding("leaked-continuation"))
    #expect(finding.culprit?.line == 2)
    #expect(texts(finding).contains("this line would have resumed the continuation @3"))
    #expect(finding.fix.text.hasPrefix("Only Till.swift:3 resumes"))
  }

  @Test("A continuation that a deinitializer without a line drops has the line where it was made")
  func lostByNoLine() throws {
    let run = try run(
      in: """
        func load(_ answers: Bool) async {
          await withCheckedContinuation { continuation in
            keep(continuation)
          }
        }
        """, .clean)
    run.add(
      .error, Self.misuse + "leaked its continuation without resuming it.",
      category: "swift-runtime",
      stack: ["libswiftCore.so!swift_release", "Desk.close() at 0", "Desk.end() at 9"])
    let finding = try #require(try run.finding("leaked-continuation"))
    #expect(finding.culprit?.function == "Desk.end()" && finding.culprit?.line == 9)
    #expect(texts(finding).contains("the continuation was created here @2"))
  }

  private func lost(in body: String, at function: String) throws -> Finding {
    let run = try run(in: body, .clean)
    run.add(
      .error, Self.misuse + "leaked its continuation without resuming it.",
      category: "swift-runtime", stack: ["libswiftCore.so!swift_release", function])
    return try #require(try run.finding("leaked-continuation"))
  }

  @Test("A continuation that another one is stored over was replaced, not forgotten")
  func replaced() throws {
    let body = """
      final class Desk {
        func load(_ key: String) async -> Int {
          await withCheckedContinuation { answer in
            waiting[key] = answer
          }
        }
        func end(_ key: String) {
          waiting.removeValue(forKey: key)?.resume(returning: 1)
        }
      }
      """
    let finding = try lost(in: body, at: "closure #1 in Desk.load(_:) at 4")
    #expect(
      texts(finding).contains {
        $0.hasPrefix("a second call stored its continuation in “waiting[key]”")
      })
    #expect(finding.title.contains("replaced a pending continuation in “waiting[key]”"))
    #expect(
      finding.fix.text.hasPrefix(
        "Keep all continuations of one key in an array, and resume each of them at Till.swift:8"))
    let locked = try lost(
      in: body.replacing("waiting[key] = answer", with: "waiting.withLock { $0[key] = answer }"),
      at: "closure #1 in Desk.load(_:) at 4")
    #expect(locked.title.contains("replaced a pending continuation in “waiting[key]”"))
    let other = try lost(
      in: body.replacing("waiting[key] = answer", with: "count = total"),
      at: "closure #1 in Desk.load(_:) at 4")
    #expect(!texts(other).contains { $0.hasPrefix("a second call") })
  }

  @Test(
    "A continuation that is dropped, or put into a local variable, replaces none",
    arguments: ["_ = answer", "let kept = answer", "var kept: Answer?\n      kept = answer"])
  func replacedNone(_ store: String) throws {
    let finding = try lost(
      in:
        "func load() async {\n  await withCheckedContinuation { answer in\n      \(store)\n  }\n}",
      at: "closure #1 in load() at \(store.contains("var") ? 4 : 3)")
    #expect(!finding.title.contains("replaced"), "\(finding.title)")
    #expect(!texts(finding).contains { $0.hasPrefix("a second call") }, "\(texts(finding))")
  }

  @Test("A callback that resumes has all of the calls that lead to it")
  func callbackCalls() throws {
    let run = try run(
      in: """
        func load(_ order: Int) async -> Int {
          await withCheckedContinuation { continuation in
            send(order) { continuation.resume(returning: $0) }
          }
        }
        func send(_ order: Int, done: @escaping (Int) -> Void) {
          line.async { done(order) }
          line.asyncAfter(deadline: .now() + 1) { done(0) }
        }
        """)
    run.die(
      of: 4,
      saying: "Fatal error: " + Self.misuse + "tried to resume its continuation more than once",
      [
        run.thread(
          1,
          [
            "libswiftCore.so!_assertionFailure",
            "closure #1 in closure #1 in load(_:) at 3", "closure #1 in send(_:done:) at 7",
          ])
      ])
    let finding = try #require(try run.finding("crash-cause"))
    #expect(
      texts(finding).contains("this line also calls “done”, which resumes the continuation @8"),
      "\(texts(finding))")
    #expect(
      finding.fix.text.hasPrefix("Let only the first of Till.swift:7 and Till.swift:8 call “done”"))
  }

  @Test(
    "A stored callback that one call leaves in its property is named",
    arguments: [
      ("guard let reply = replies[ticket] else { return }", true),
      ("guard let reply = replies.removeValue(forKey: ticket) else { return }", false),
    ])
  func storedCallbacks(_ expiry: String, stays: Bool) throws {
    let run = try run(
      in: """
        func issue(_ ticket: Int) async -> Int {
          await withCheckedContinuation { continuation in
            spool.enqueue(ticket) { continuation.resume(returning: $0) }
          }
        }
        final class Spool {
          private var replies: [Int: (Int) -> Void] = [:]
          func finish(_ ticket: Int) {
            guard let reply = replies.removeValue(forKey: ticket) else { return }
            reply(1)
          }
          func expire(_ ticket: Int) {
            if ticket > 0 {
              \(expiry)
              reply(0)
            } else {
              replies.removeValue(forKey: ticket)?(0)
            }
          }
        }
        """)
    run.die(
      of: 4,
      saying: "Fatal error: " + Self.misuse + "tried to resume its continuation more than once",
      [
        run.thread(
          1,
          [
            "libswiftCore.so!_assertionFailure",
            "closure #1 in closure #1 in issue(_:) at 3", "Spool.finish(_:) at 10",
          ])
      ])
    let finding = try #require(try run.finding("crash-cause"))
    #expect(
      texts(finding).contains("this line also calls a closure of “replies”, which stays there @15")
        == stays, "\(texts(finding))")
    #expect(
      finding.fix.text.hasPrefix(
        "Remove the closure from “replies” before Till.swift:15 calls it, as Till.swift:10 does.")
        == stays, "\(finding.fix.text)")
  }

  @Test(
    "Memory that one method uses without the lock of the others",
    arguments: [
      ("func quickly() { sweep() }", "Cache.quickly (Till.swift:10)"),
      ("private func quickly() { sweep() }", nil),
      ("func quickly() { lock.withLock { sweep() } }", nil),
      ("func quickly() { entries.removeAll() }", "Cache.quickly (Till.swift:10)"),
      ("func quickly() { let entries = [1]; print(entries) }", nil),
      ("let own = NSLock(); func quickly() { own.withLock { lock.withLock { sweep() } } }", nil),
    ])
  func unguarded(_ quickly: String, culprit: String?) throws {
    let finding = try damaged(
      """
      final class Cache: @unchecked Sendable {
        private let lock = NSLock()
        private var entries: [String: Int] = [:]
        init() { entries["a"] = 1 }
        func value(for key: String) -> Int? {
          lock.lock()
          defer { lock.unlock() }
          return entries[key]
        }
        \(quickly)
        func slowly() {
          lock.lock()
          sweep()
          lock.unlock()
        }
        private func sweep() {
          for key in entries.keys { entries[key] = nil }
        }
      }
      """, in: "Cache.value(for:) at 8")
    let fix = culprit.map { "Use “entries” under the lock “lock” of Cache also in \($0)." }
    #expect(
      finding.fix.text.hasPrefix(fix ?? "Repeat this with a build by"), "\(finding.fix.text)")
    #expect(
      texts(finding).contains { $0.hasPrefix("the lock “lock” of Cache guards “entries” here") }
        == (culprit != nil), "\(texts(finding))")
  }

  @Test(
    "A class without a lock",
    arguments: [
      ("final class Cache: @unchecked Sendable", "", true),
      ("final class Cache: @unchecked Sendable", "; let home = DispatchQueue.main", false),
      ("final class Cache", "", false), ("actor Cache", "", false),
    ])
  func unprotected(_ header: String, _ more: String, isNamed: Bool) throws {
    let finding = try damaged(
      """
      \(header) {
        private var entries: [String: Int] = [:]\(more)
        func store(_ key: String) {
          entries[key] = 1
        }
      }
      """, in: "Cache.store(_:) at 4")
    #expect(
      finding.fix.text.hasPrefix("Guard every use of “entries”") == isNamed, "\(finding.fix.text)")
  }

  private func damaged(_ source: String, in frame: String) throws -> Finding {
    let run = try run(in: source, .crash(signal: 11, .certain))
    run.die(
      of: 11, address: 0x7000_0000,
      [run.thread(1, ["libswiftCore.so!swift_retain", frame, "main at 1"])])
    return try #require(try run.finding("crash-cause"))
  }

  @Test(
    "Of two branches only one calls",
    arguments: [
      "    if order > 0 {\n      done(order)\n    } else {\n      done(0)\n    }",
      "    if order > 0 {\n      done(order)\n      return\n    }\n    done(0)",
      "    switch order {\n    case 0:  done(order)\n    default:\n      done(0)\n    }",
    ])
  func callbackBranches(_ calls: String) throws {
    let source =
      """
      func load(_ order: Int) async -> Int {
        await withCheckedContinuation { continuation in
          send(order) { continuation.resume(returning: $0) }
        }
      }
      func send(_ order: Int, done: @escaping (Int) -> Void) {
      \(calls)
      }
      """
    let line = source.split(separator: "\n").firstIndex { $0.contains("done(order)") }! + 1
    let run = try run(in: source)
    run.die(
      of: 4,
      saying: "Fatal error: " + Self.misuse + "tried to resume its continuation more than once",
      [
        run.thread(
          1,
          [
            "libswiftCore.so!_assertionFailure",
            "closure #1 in closure #1 in load(_:) at 3", "send(_:done:) at \(line)",
          ])
      ])
    let finding = try #require(try run.finding("crash-cause"))
    #expect(!texts(finding).contains { $0.contains("this line also calls") }, "\(texts(finding))")
    #expect(
      texts(finding).contains {
        $0.hasPrefix("no other line of the source resumes the continuation")
      })
  }

  private func resumedTwice(_ body: String, at function: String) throws -> Finding {
    let run = try run(
      in: """
        func load(_ order: Int) async -> Int {
          await withCheckedContinuation { continuation in
            \(body)
          }
        }
        """)
    run.die(
      of: 4,
      saying: "Fatal error: " + Self.misuse + "tried to resume its continuation more than once",
      [run.thread(1, ["libswiftCore.so!_assertionFailure", function])])
    return try #require(try run.finding("crash-cause"))
  }

  @Test("Of two resumes in one closure the other was the first")
  func firstResume() throws {
    let finding = try resumedTwice(
      "continuation.resume(returning: 1)\n    continuation.resume(returning: 2)",
      at: "closure #1 in load(_:) at 4")
    #expect(texts(finding).contains("the first resume of the continuation @3"))
    #expect(finding.fix.text.hasPrefix("Till.swift:3 has already resumed the continuation"))
  }

  @Test("A callback may have come twice, be it to one line or to two")
  func resumesOfACallback() throws {
    let one = try resumedTwice(
      "fetch { row in\n      continuation.resume(returning: row)\n    }",
      at: "closure #1 in closure #1 in load(_:) at 4")
    #expect(
      texts(one).contains(
        "no other line of the source resumes the continuation: this line ran twice @4"))
    let two = try resumedTwice(
      "fetch { row in\n      if row > 0 { return continuation.resume(returning: row) }\n      continuation.resume(returning: 0)\n    }",
      at: "closure #1 in closure #1 in load(_:) at 4")
    #expect(!texts(two).contains { $0.hasPrefix("the first resume") })
    #expect(texts(two).filter { $0.hasPrefix("a line that resumes") }.count == 2)
  }

  @Test("A continuation that is kept may be resumed by any other line of its source")
  func keptContinuation() throws {
    let kept = try resumedTwice(
      "kept = continuation\n    continuation.resume(returning: 1)\n  }\n}\nfunc end() {\n  if true {\n    kept?.resume(returning: 2)",
      at: "closure #1 in load(_:) at 4")
    #expect(!texts(kept).contains { $0.hasPrefix("no other line") || $0.hasPrefix("the first") })
    #expect(texts(kept).filter { $0.hasPrefix("a line that resumes") }.count == 2)
  }

  @Test("A resume in a loop may come twice itself")
  func resumeInALoop() throws {
    let finding = try resumedTwice(
      "for row in rows { continuation.resume(returning: row) }\n    continuation.resume(returning: 2)",
      at: "closure #1 in load(_:) at 4")
    #expect(!texts(finding).contains { $0.hasPrefix("the first resume") }, "\(texts(finding))")
  }

  @Test("A continuation that goes elsewhere may be resumed there")
  func handedOn() throws {
    let finding = try resumedTwice(
      "desk.keep(continuation)\n    continuation.resume(returning: 1)",
      at: "closure #1 in load(_:) at 4")
    #expect(!texts(finding).contains { $0.hasPrefix("no other line") }, "\(texts(finding))")
    #expect(
      finding.fix.text
        == "Only Till.swift:4 resumes the continuation in this file: resume it only in the first call."
    )
  }

  @Test("Only a property can be emptied before it is resumed, and no line goes uncounted")
  func manyResumes() throws {
    func end(_ line: String) -> String { "func end(_ key: String) {\n  \(line)\n}\n" }
    let kept = "keep(continuation)\n  }\n}\nfinal class Desk {\n"
    func fix(_ body: String) throws -> String {
      try resumedTwice(
        kept + body + "func last() {", at: "Desk.end(_:) at 99"
      ).fix.text
    }
    let local = end("let answer = waiting.removeValue(forKey: key); answer?.resume(returning: 1)")
    #expect(try fix(local + local).hasPrefix("Let only the first of"))
    let stored = "var answer: CheckedContinuation<Int, Never>?\n"
    #expect(
      try fix(stored + end("answer?.resume(returning: 1)") + end("answer?.resume(returning: 2)"))
        .hasPrefix("Take “answer” and set it to nil"))
    let many = (1...6).map { end("answers.last!.resume(returning: \($0))") }.joined()
    #expect(try fix(many).contains(" and 2 more resume the continuation"))
  }

  @Test("An optimized build has one line for both, and says of none that it was the first")
  func mergedResumes() throws {
    let finding = try resumedTwice(
      "continuation.resume(returning: 1)\n    continuation.resume(returning: 2)",
      at: "load(_:) at 3")
    #expect(!texts(finding).contains { $0.hasPrefix("the first resume") })
  }

  @Test("A recursion is told by what repeats and by who began it")
  func recursion() throws {
    let run = MadeUpRun(.crash(signal: 11, .certain))
    let repeated = Array(repeating: ["Tree.depth() at 5", "Node.visit() at 7"], count: 60).flatMap(
      \.self)
    run.die(
      of: 11, address: 0x10000, [run.thread(1, repeated + ["Tree.print() at 9", "main() at 12"])])
    run.crash?.registers = Registers(machine: .x86_64, values: [0, 0x10008])
    let finding = try #require(try run.finding("crash-cause"))
    #expect(finding.title.hasPrefix("Stack overflow"))
    #expect(
      texts(finding).contains {
        $0.hasPrefix(
          "of the 122 frames, these repeat: Node.visit() (60 times), Tree.depth() (60 times)")
      }, "\(texts(finding))")
    #expect(texts(finding).contains("the first call @9"))
  }

  @Test("A recursion is opened at the line that calls itself, not where the stack ended")
  func recursingCall() throws {
    let run = try run(
      in: """
        final class Plan {
          var outer: [String: String] = [:]
          func move(_ bin: String, _ place: String) { outer[bin] = place }
          func path(_ place: String) -> String {
            guard let next = outer[place] else { return place }
            return path(next) + place
          }
        }
        """, .crash(signal: 11, .certain))
    run.die(
      of: 11, address: 0x10000,
      [
        run.thread(
          1,
          ["Plan.path(_:) at 5"] + Array(repeating: "Plan.path(_:) at 6", count: 120) + [
            "main() at 9"
          ])
      ])
    run.crash?.registers = Registers(machine: .x86_64, values: [0, 0x10008])
    let finding = try #require(try run.finding("crash-cause"))
    #expect(finding.culprit?.line == 6)
    #expect(finding.title.contains("Till.swift:6"))
    #expect(
      texts(finding).contains("“outer”, which the function reads, is changed here @3"),
      "\(texts(finding))")
    #expect(
      finding.fix.text
        == "If the values form a cycle, reject the value that closes it at Till.swift:3, or stop path(_:) at a value that it has already seen."
    )
  }

  @Test("A recursion of two functions has the writers of both, and a fix where they are several")
  func recursionOfTwo() throws {
    let run = try run(
      in: """
        final class Plan {
          var outer: [String: String] = [:]
          var inner: [String: String] = [:]
          func move(_ bin: String, _ place: String) { outer[bin] = place }
          func fill(_ bin: String, _ place: String) { inner[bin] = place }
          func path(_ place: String) -> String {
            back(outer[place]!)
          }
          func back(_ place: String) -> String {
            path(inner[place]!)
          }
        }
        """, .crash(signal: 11, .certain))
    let repeated = Array(repeating: ["Plan.path(_:) at 7", "Plan.back(_:) at 10"], count: 60)
    run.die(of: 11, address: 0x10000, [run.thread(1, repeated.flatMap(\.self) + ["main() at 9"])])
    run.crash?.registers = Registers(machine: .x86_64, values: [0, 0x10008])
    let finding = try #require(try run.finding("crash-cause"))
    #expect(texts(finding).contains("“outer”, which the function reads, is changed here @4"))
    #expect(texts(finding).contains("“inner”, which the function reads, is changed here @5"))
    #expect(finding.fix.text.contains("at a value that it has already seen"), "\(finding.fix.text)")
  }

  @Test("A wild reference has the pattern of a freed object; null and a wild address have not")
  func freedObject() throws {
    let told = { (address: UInt64, called: String) in
      let run = MadeUpRun(.crash(signal: 11, .certain))
      run.die(of: 11, address: address, [run.thread(1, [called, "Desk.close() at 5"])])
      return texts(try #require(try run.finding("crash-cause"))).contains {
        $0.contains("typical of an object that was already freed")
      }
    }
    #expect(try told(0x5ead_0000, "libswiftCore.so!swift_release"))
    #expect(try !told(8, "libswiftCore.so!swift_release"))
    #expect(try !told(0x5ead_0000, "libc.so.6!memcpy"))
  }

  @Test(
    "Another method of the same type is perhaps a race; one that waits is none, nor is another type's"
  )
  func sameType() throws {
    let told = { (other: [String]) in
      let run = MadeUpRun(.crash(signal: 11, .certain))
      run.die(
        of: 11, address: 0x5ead_0000,
        [run.thread(1, ["Desk.close() at 5"]), run.thread(2, other)])
      return texts(try #require(try run.finding("crash-cause"))).contains {
        $0.hasPrefix("possible race")
      }
    }
    #expect(try told(["Desk.open() at 7"]))
    #expect(try !told(["Till.open() at 7"]))
    #expect(try !told(["libc.so.6!poll", "Desk.open() at 7"]))
  }

  @Test("A queue that waits for itself is told by both of its calls")
  func ownDeadlock() throws {
    let run = MadeUpRun(.crash(signal: 4, .certain))
    run.die(
      of: 4,
      [
        run.thread(
          1, queue: 3,
          [
            "libdispatch.so!__DISPATCH_WAIT_FOR_QUEUE__", "libdispatch.so!_dispatch_sync_f_slow",
            "Books.take() at 7", "closure #1 in Books.move() at 5",
            "libdispatch.so!_dispatch_client_callout",
            "libdispatch.so!_dispatch_lane_barrier_sync_invoke_and_complete", "Books.move() at 4",
            "main() at 2",
          ])
      ])
    let finding = try #require(try run.finding("sync-deadlock"))
    #expect(
      finding.cause.map { "\($0.text) @\($0.place?.line ?? 0)" } == [
        "ran @2", "outer call: holds queue com.example.queue3 @4", "ran @5",
        "inner call: waits for queue com.example.queue3 @7",
      ])
    #expect(finding.fix.text.contains("since Books.move() (Till.swift:4)"))
  }

  @Test(
    "A check at a closure's entry is told by why there is one, and by the call that took the closure"
  )
  func checkAtAnEntry() throws {
    let run = try run(
      in: """
        @MainActor final class Feed {
          func load() {
            store.fetch { rows in
              self.rows = rows
            }
          }
        }
        """)
    run.die(
      of: 4, expecting: "main actor",
      [
        run.thread(
          1, queue: 3,
          [
            "libdispatch.so!dispatch_assert_queue",
            "libswift_Concurrency.so!swift_task_checkIsolatedImpl",
            "libswift_Concurrency.so!swift_task_isCurrentExecutorWithFlagsImpl",
            "closure #1 in Feed.load() at 3", "Store.finish() at 9",
          ])
      ])
    let finding = try #require(try run.finding("isolation-trap"))
    #expect(
      texts(finding).contains { $0.hasPrefix("the closure is not @Sendable, so it inherits") })
    #expect(texts(finding).contains("this call took the closure @3"), "\(texts(finding))")
  }

  private static let witness =
    "protocol witness for Feed.did(_:) in conformance Board"

  @Test(
    "A check at the entry of a witness is a defect of the conforming type, in every finding",
    arguments: [
      ("main actor", "off-main-ui", "the main actor"),
      ("actor Board", "wrong-executor", "its actor"),
    ])
  func checkInAWitness(_ expected: String, _ rule: String, _ actor: String) throws {
    let run = MadeUpRun(.crash(signal: 4, .certain))
    let stack = [
      "libswift_Concurrency.so!swift_task_checkIsolatedImpl",
      "libswift_Concurrency.so!swift_task_isCurrentExecutorWithFlagsImpl",
      Self.witness, "closure #1 in Source.load() at 7",
    ]
    run.add(
      .violation, "an isolation check fails and traps", [("expected", .string(expected))],
      stack: stack)
    run.die(of: 4, expecting: expected, [run.thread(1, queue: 3, stack)])
    let findings = try run.report().entries.map(\.finding)
    for rule in ["crash-cause", "isolation-trap", rule] {
      let finding = try #require(findings.first { $0.rule == rule })
      #expect(finding.culprit?.function == "Board.did(_:)", "\(finding)")
      #expect(finding.defect == "till Board.did(_:)")
      #expect(
        finding.fix.text.contains("do its work in a Task on \(actor)"), "\(finding.fix.text)"
      )
      #expect(finding.fix.text.contains("make the protocol's requirement async"))
      #expect(finding.fix.edits.isEmpty)
      #expect(finding.title.ranges(of: "did(_:)").count == 1, "\(finding.title)")
      #expect(finding.cause.last?.text == "is entered, and checks its actor")
      #expect(finding.cause.last?.place?.function == "Board.did(_:)")
    }
  }
}
