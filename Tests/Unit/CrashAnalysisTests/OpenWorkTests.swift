import Foundation
import IncidentModel
import ProcessTesting
import Testing

@Suite("What had begun and not ended") struct OpenWorkTests {
  private func add(_ step: String, _ id: String, _ route: String, to run: MadeUpRun) {
    run.add(
      .note, "request \(step)", [("request", .string(route)), ("requestID", .string(id))],
      category: "request")
  }

  private func service(_ what: String, _ name: String, type: String = "", to run: MadeUpRun) {
    run.add(
      .note, "service \(what)", [("service", .string(name)), ("type", .string(type))],
      category: "service")
  }

  /// The tasks that wait are listed: each where it waits, and who awaits that.
  private func list(
    during what: String, _ waits: [(task: Int64, callers: [String])],
    in run: MadeUpRun
  ) {
    run.add(.note, "tasks wait", [("during", .string(what))], category: "waiting")
    for wait in waits {
      run.add(
        .note, "waits here",
        [
          ("for", .string(wait.callers.contains("main()") ? "group" : "continuation")),
          ("tasks", .integer(1)),
          ("task", .integer(wait.task)),
        ], category: "waiting", awaiting: wait.callers)
    }
  }

  private static let next = "libswift_Concurrency.so!AsyncStream.Iterator.next(isolation:)"

  /// A process that was asked to end, as its services were, and did not.
  private func stuck() -> MadeUpRun {
    let run = MadeUpRun(.terminated(signal: 15))
    run.signs.takesAsk = true
    service("begins", "server", type: "Server", to: run)
    service("begins", "mails", type: "Mails", to: run)
    return run
  }

  @Test(
    "Requests in flight are counted by their routes, the oldest first; those that ended are not")
  func requests() throws {
    let run = MadeUpRun()
    add("begins", "1", "GET /stock/:item", to: run)
    add("begins", "2", "GET /health", to: run)
    add("begins", "3", "POST /orders", to: run)
    add("begins", "4", "GET /stock/:item", to: run)
    add("ends", "2", "GET /health", to: run)
    add("ends", "9", "GET /never-begun", to: run)
    run.die(of: 11, address: 0, [run.thread(1, ["Stock.take(_:)"])])
    let finding = try #require(try run.finding("crash-cause"))
    #expect(
      finding.evidence.contains {
        $0.text
          == "3 requests were in flight and never answered: 2 × GET /stock/:item, the oldest for 58 s; POST /orders for 56 s"
      }, "\(finding.evidence.map(\.text))")
  }

  @Test("Without requests nothing is said of them, nor of what others call a request")
  func none() throws {
    let run = MadeUpRun()
    add("begins", "2", "GET /health", to: run)
    add("ends", "2", "GET /health", to: run)
    run.add(.note, "request begins", [("requestID", .string("7"))], category: "mine")
    run.die(of: 11, address: 0, [run.thread(1, ["Stock.take(_:)"])])
    let finding = try #require(try run.finding("crash-cause"))
    #expect(!finding.evidence.contains { $0.text.contains("in flight") })
  }

  @Test("A service that was asked to end and has not is named; one that was not asked is not")
  func services() throws {
    let run = MadeUpRun()
    for name in ["server", "mail", "clock"] { service("begins", name, to: run) }
    service("is asked to end", "server", to: run)
    service("is asked to end", "mail", to: run)
    service("ends", "server", to: run)
    run.add(.note, "later")
    let finding = try #require(try run.finding("unclean-end"))
    let said = finding.evidence.map(\.text).filter { $0.contains("service “") }
    #expect(said == ["service “mail” was asked to end 2 s earlier, and had not ended"])
  }

  @Test("Of a shutdown that hangs, the task is named that waits in a service that has not ended")
  func heldByAService() throws {
    let run = stuck()
    service("is asked to end", "server", to: run)
    service("ends", "server", to: run)
    service("is asked to end", "mails", to: run)
    list(
      during: "shutdown",
      [
        (3, ["Cart.wait()"]), (4, ["Post.flush()", "Mails.run()"]),
        (5, [Self.next, "Clock.run()"]),
      ], in: run)
    let finding = try #require(try run.finding("unclean-end"))
    #expect(
      finding.title.hasPrefix(
        "Service “mails” waited in Post.flush() → the shutdown had to wait → killed "),
      "\(finding.title)")
    #expect(finding.culprit?.function == "Post.flush()")
    #expect(finding.evidence.contains { $0.text == "a task waited for a continuation" })
    #expect(!finding.evidence.contains { $0.place?.function == "Cart.wait()" })
  }

  @Test(
    "A task of no service is named where it is the only one; nothing in a service that was not asked, no loop"
  )
  func heldByATask() throws {
    let run = stuck()
    service("is asked to end", "server", to: run)
    let others: [(Int64, [String])] = [
      (4, ["Post.flush()", "Mails.run()"]), (5, [Self.next, "Clock.tick()"]),
      (6, ["libswift_Concurrency.so!Task.sleep(for:)", "Timer.tick()"]),
      (1, ["main()"]),  // waits for the others
    ]
    list(during: "shutdown", [(3, ["Cart.wait()"])] + others, in: run)
    let finding = try #require(try run.finding("unclean-end"))
    #expect(
      finding.title.hasPrefix(
        "Cart.wait() waited for a continuation, and service “server” did not end → the shutdown had to wait → killed "
      ), "\(finding.title)")

    // A newer list is what counts; and of two nobody knows which.
    list(
      during: "shutdown", [(3, ["Cart.wait()"]), (8, ["Till.wait()"])] + others,
      in: run)
    let unsure = try #require(try run.finding("unclean-end"))
    #expect(unsure.culprit == nil && !unsure.title.contains("waited in"))
  }

  @Test(
    "A task that waits for its turn waits for an actor if the list names one, and otherwise for a thread",
    arguments: [(true, "an actor"), (false, "a thread")])
  func turn(isOnActor: Bool, resource: String) throws {
    let run = stuck()
    run.add(.note, "tasks wait", [("during", .string("shutdown"))], category: "waiting")
    var data: [(key: String, value: CrumbValue)] = [
      ("for", .string("turn")), ("tasks", .integer(1)), ("task", .integer(3)),
    ]
    if isOnActor { data.append(("executor", .string("actor"))) }
    run.add(.note, "waits here", data, category: "waiting", awaiting: ["Cart.pay()"])
    let finding = try #require(try run.finding("unclean-end"))
    #expect(
      finding.title.hasPrefix("Cart.pay() waited for \(resource) → the shutdown had to wait"),
      "\(finding.title)")
  }

  @Test("A service that did not end after its request to end counts as a request to end")
  func askedByServicesAlone() throws {
    let run = MadeUpRun(.killed)
    run.signs.hasCrashHandler = true
    service("begins", "server", type: "Server", to: run)
    service("begins", "mails", type: "Mails", to: run)
    service("is asked to end", "server", to: run)
    service("ends", "server", to: run)
    service("is asked to end", "mails", to: run)
    list(during: "shutdown", [(4, ["Post.flush()", "Mails.run()"])], in: run)
    let report = try run.report()
    #expect(
      report.recordings.first?.manner
        == "was asked to end, did not exit, and was killed or called _exit")
    let finding = try #require(report.entries.first?.finding)
    #expect(
      finding.title
        == "Service “mails” waited in Post.flush() → the shutdown had to wait → killed 2 s after the request to end"
    )
    #expect(finding.rule == "unclean-end" && finding.severity == .error)

    let untold = MadeUpRun(.killed)
    service("begins", "mails", type: "Mails", to: untold)
    service("is asked to end", "mails", to: untold)
    let bare = try #require(try untold.report().entries.first?.finding)
    #expect(
      bare.title
        == "Service “mails” did not end → the shutdown had to wait → killed right after the request to end"
    )
    #expect(bare.fix.text.contains("kept service “mails” from ending"))
    // After the end of all services, the kill has another reason.
    let ended = MadeUpRun(.killed)
    for what in ["begins", "is asked to end", "ends"] { service(what, "mails", to: ended) }
    #expect(try ended.report().recordings.first?.manner?.hasPrefix("was killed") == true)
  }

  @Test(
    "An optimized build may leave only the protocol witness of the service's function",
    arguments: ["Mails", "Shop.Mails"])
  func heldByAWitness(type: String) throws {
    let run = stuck()
    service("is asked to end", "mails", to: run)
    list(
      during: "shutdown",
      [
        (3, ["Cart.wait()"]),
        (4, ["Post.flush()", "protocol witness for Service.run() in conformance \(type)"]),
      ], in: run)
    let finding = try #require(try run.finding("unclean-end"))
    #expect(
      finding.title.hasPrefix("Service “mails” waited in Post.flush() → "), "\(finding.title)")
  }

  @Test(
    "The only task of no service and the only service that had not ended are both named",
    arguments: [["mails"], ["mails", "server"]])
  func onlyTaskAndOnlyService(asked: [String]) throws {
    let run = stuck()
    for name in asked { service("is asked to end", name, to: run) }
    list(during: "shutdown", [(3, ["Cart.wait()"])], in: run)
    let finding = try #require(try run.finding("unclean-end"))
    let isOnly = asked.count == 1
    let also = isOnly ? ", and service “mails” did not end" : ""
    #expect(
      finding.title.hasPrefix(
        "Cart.wait() waited for a continuation\(also) → the shutdown had to wait"),
      "\(finding.title)")
    let aim = isOnly ? ", so that service “mails” can end" : ""
    #expect(finding.fix.text.hasSuffix("its wait in Cart.wait()\(aim)."))
  }

  @Test("A request that had hung before the shutdown is the subject", arguments: [20, 1])
  func requestBefore(notes: Int) throws {
    let run = stuck()
    add("begins", "1", "POST /scales/:tote", to: run)
    for _ in 0..<notes { run.add(.note, "working") }
    service("is asked to end", "server", to: run)
    list(
      during: "shutdown",
      [(3, ["NIOCore!EventLoopFuture.get()", "Desk.weigh(_:)", "Router.handle(_:)"])], in: run)
    let finding = try #require(try run.finding("unclean-end"))
    let isOld = notes > 1
    #expect(
      finding.title.hasPrefix(
        "POST /scales/:tote was never answered: Desk.weigh(_:) waited for a future of an event loop →"
      )
        == isOld, "\(finding.title)")
    #expect(finding.fix.text.hasPrefix("Complete the promise behind Desk.weigh(_:)") == isOld)
  }

  @Test("Tasks that wait for what they hold", arguments: [true, false])
  func nestedLeases(isNested: Bool) throws {
    let run = stuck()
    for id in 1...2 { add("begins", "\(id)", "POST /shipments", to: run) }
    for _ in 0..<20 { run.add(.note, "working") }
    service("is asked to end", "server", to: run)
    let outer = ["Pool.lease()", "Pool.with(_:)", "Desk.book()"]
    let inner = ["Pool.lease()", "Pool.with(_:)", "Rates.cents()"] + outer.dropFirst()
    list(during: "shutdown", [(3, outer), (4, isNested ? inner : outer)], in: run)
    let finding = try #require(try run.finding("unclean-end"))
    #expect(
      finding.title.hasPrefix(
        "2 × POST /shipments were never answered: 2 tasks waited for a continuation in Pool.lease() →"
      ),
      "\(finding.title)")
    #expect(
      finding.fix.text.hasPrefix(
        "Do not enter Pool.with(_:) within itself, which Rates.cents() does:") == isNested,
      "\(finding.fix.text)")
  }

  @Test("A count that stays too high has the line that would end the wait")
  func leakedCount() throws {
    let run = stuck()
    run.file = TestFiles.path("Till.swift")
    try """
    actor Turnstile {
      func leave() {
        for waiter in waiters { waiter.resume() }
      }
      func empty() async {
        await withCheckedContinuation { waiters.append($0) }
      }
      func other() { ready.resume() }
    }
    """.write(toFile: run.file, atomically: true, encoding: .utf8)
    service("is asked to end", "mails", to: run)
    list(during: "shutdown", [(4, ["Turnstile.empty() at 6", "Mails.run()"])], in: run)
    let finding = try #require(try run.finding("unclean-end"))
    #expect(
      finding.fix.text.hasPrefix(
        "Let each way that leads to Turnstile.empty() (Till.swift:6) also lead to Turnstile.leave (Till.swift:3)"
      ),
      "\(finding.fix.text)")
    #expect(
      finding.evidence.contains {
        $0.text.hasPrefix("only this line of the file resumes") && $0.place?.line == 3
      })
  }

  @Test("A service that reads a stream ends when the stream does")
  func streamOfAService() throws {
    let run = stuck()
    service("is asked to end", "mails", to: run)
    list(during: "shutdown", [(4, [Self.next, "Post.read()", "Mails.run()"])], in: run)
    let finding = try #require(try run.finding("unclean-end"))
    #expect(
      finding.fix.text.hasPrefix(
        "Finish the stream that Post.read() reads when service “mails” is asked to end"),
      "\(finding.fix.text)")
    #expect(
      finding.evidence.contains {
        $0.text.hasPrefix("a task waited for the next element of a stream")
      })
  }

  @Test(
    "A kill for lack of memory names the route of most requests",
    arguments: [(24, 6, true), (24, 7, false), (15, 0, false)])
  func prevailingRoute(many: Int, others: Int, isTold: Bool) throws {
    let run = MadeUpRun(.outOfMemory(.certain))
    for id in 0..<many { add("begins", "\(id)", "GET /reach/:from", to: run) }
    for id in 0..<others { add("begins", "other \(id)", "GET /health/\(id)", to: run) }
    for id in 0..<many { add("ends", "\(id)", "GET /reach/:from", to: run) }
    let said = try #require(try run.finding("unclean-end")).evidence.map(\.text)
    #expect(said.contains("24 of 30 recorded requests were GET /reach/:from") == isTold, "\(said)")
    let untold = MadeUpRun(.killed)
    for id in 0..<many { add("begins", "\(id)", "GET /reach/:from", to: untold) }
    let finding = try #require(try untold.finding("unclean-end"))
    #expect(!finding.evidence.contains { $0.text.contains("recorded requests") })
  }

  @Test("Who waited in a hang before does not hold the shutdown")
  func otherList() throws {
    let run = stuck()
    list(during: "hang", [(4, ["Post.flush()", "Mails.run()"])], in: run)
    service("is asked to end", "mails", to: run)
    let finding = try #require(try run.finding("unclean-end"))
    #expect(finding.culprit == nil)
    #expect(finding.evidence.contains { $0.text.hasPrefix("service “mails” was asked to end") })
  }

  /// A run in which `price(of:)` lost its continuation.
  private func lost(on stack: [String]) -> MadeUpRun {
    let run = MadeUpRun(.terminated(signal: 15))
    run.add(
      .error,
      "SWIFT TASK CONTINUATION MISUSE: price(of:) leaked its continuation without resuming it.",
      category: "swift-runtime", stack: stack)
    return run
  }

  @Test("Where a continuation was lost on nobody's stack, the place is where its task waits")
  func lostContinuation() throws {
    let run = lost(on: ["objectdestroy.55", "libdispatch.so!_dispatch_lane_invoke"])
    list(
      during: "shutdown",
      [(3, ["Cart.price()"]), (4, ["Shop.price(of:)", "Shop.answer()"])], in: run)
    let finding = try #require(try run.finding("leaked-continuation"))
    #expect(finding.culprit?.function == "Shop.price(of:)")
  }

  @Test(
    "Where an optimized build made the function part of another, the place is where that one waits, unless it waits in two",
    arguments: [
      (["Shop.answer() at 88"], 88), (["Shop.answer() at 88", "Shop.pay() at 9"], 88),
      (["Shop.answer() at 88", "Shop.answer() at 70"], 67),
      (["Shop.answer() at 88", "Shop.price(of:) at 30"], 67), ([], 67),
    ])
  func lostInAnother(waits: [String], line: Int) throws {
    let run = lost(on: ["libswiftCore.so!_swift_release_dealloc", "Shop.answer() at 67"])
    list(during: "shutdown", waits.map { (3, [$0]) }, in: run)
    let finding = try #require(try run.finding("leaked-continuation"))
    #expect(finding.culprit?.line == line)
  }
}
