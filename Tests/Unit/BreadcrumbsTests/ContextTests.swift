import Dispatch
import IncidentModel
import Synchronization
import Testing

@testable import Breadcrumbs

/// What `withCrumbs` gives to the crumbs below it, and to no other.
struct ContextTests {
  private let scratch: Scratch
  private let recorder: BreadcrumbRecorder

  init() throws {
    scratch = try Scratch()
    recorder = try BreadcrumbRecorder(path: scratch.log, capacity: 1 << 20, automatic: [])
  }

  /// What each crumb has, by its message.
  private func data() throws -> [String: [String: IncidentModel.CrumbValue]] {
    let crumbs = try scratch.incident().crumbs.map { ($0.message, $0.data) }
    return Dictionary(
      crumbs.map { message, data in (message, Dictionary(data, uniquingKeysWith: { $1 })) },
      uniquingKeysWith: { first, _ in first })
  }

  @Test func isInEveryKindOfCrumbBelowAndInNoneBesides() throws {
    recorder.record("before")
    withCrumbs(["order": 42, "kind": .string("express")]) {
      recorder.record("fixed")
      recorder.record("made \(1 + 1)")
      recorder.record("own", data: ["item": "hammer"])
      recorder.record("plain", data: ["count": 3 as UInt16])
      recorder.record("walked", stack: .always)
      recorder.record("failed", level: .error, data: ["code": 7])
      recorder.recordLifecycle(.didLaunch)
      recorder.leaveViolation("violated")
    }
    recorder.record("after")
    let found = try data()
    let context: [String: IncidentModel.CrumbValue] = [
      "order": .integer(42), "kind": .string("express"),
    ]
    for message in ["fixed", "made 2", "walked", "did launch", "violated"] {
      #expect(found[message]?.filter { context[$0.key] != nil } == context, "\(message)")
    }
    #expect(found["own"] == context.merging(["item": .string("hammer")]) { $1 })
    #expect(found["plain"] == context.merging(["count": .integer(3)]) { $1 })
    #expect(found["failed"] == context.merging(["code": .integer(7)]) { $1 })
    #expect(found["before"] == [:] && found["after"] == [:])
    let walked = try scratch.incident().crumbs.first { $0.message == "walked" }
    #expect((walked?.stack?.frames.count ?? 0) > 2)
  }

  @Test func isCarriedByTasksButNotByQueues() async throws {
    let recorder = recorder
    await withCrumbs(["order": "A-1"]) {
      await Task.yield()
      recorder.record("awaited")
      async let child: Void = recorder.record("child")
      await child
      await Task { recorder.record("unstructured") }.value
      await Task.detached { recorder.record("detached") }.value
      await withCheckedContinuation { done in
        DispatchQueue.global().async {
          recorder.record("queue")
          done.resume()
        }
      }
    }
    let found = try data()
    for message in ["awaited", "child", "unstructured"] {
      #expect(found[message] == ["order": .string("A-1")], "\(message)")
    }
    #expect(found["detached"] == [:] && found["queue"] == [:])
  }

  @Test func innerValuesTakeThePlaceOfOuterOnes() throws {
    withCrumbs(["order": 1, "user": "ann"]) {
      withCrumbs(["order": 2, "step": 3.5]) { recorder.record("inner") }
      recorder.record("outer")
    }
    let found = try data()
    #expect(
      found["inner"] == ["order": .integer(2), "user": .string("ann"), "step": .double(3.5)])
    #expect(found["outer"] == ["order": .integer(1), "user": .string("ann")])
  }

  @Test func whatDoesNotFitBesideTheCrumbsOwnIsSaidToBeCut() throws {
    let long = String(repeating: "x", count: 600)
    withCrumbs(["long": .string(long)]) {
      recorder.record("roomy", data: ["item": "hammer"])
      recorder.record("tight", data: ["own": .string(long)])
    }
    let crumbs = try scratch.incident().crumbs
    #expect(crumbs.map(\.isDataCut) == [false, true])
    #expect(crumbs.map(\.data.count) == [2, 1])
  }

  @Test func aRedactionHookSeesItOnce() throws {
    let seen = Mutex<[[String]]>([])
    let redacting = try BreadcrumbRecorder(
      path: scratch.log + ".2", automatic: [],
      redact: { draft in
        seen.withLock { $0.append(draft.data.map(\.key)) }
        draft.data.removeAll { $0.key == "card" }
      })
    withCrumbs(["card": "4111", "order": 1]) {
      redacting.record("paid", data: ["sum": 2])
      redacting.record("fixed")
    }
    #expect(seen.withLock { $0 } == [["sum", "card", "order"], ["card", "order"]])
    let crumbs = try scratch.incident("breadcrumbs.log.2").crumbs
    #expect(crumbs.map { $0.data.map(\.key) } == [["sum", "order"], ["order"]])
  }

  private let begins = ReadyNote("begins", category: "request")
  private let ends = ReadyNote("ends", category: "request")

  /// A request's, as an adapter makes it: inside of what others gave, which has a route of its own.
  private func request() -> CrumbContext {
    let route = CrumbContext(only: [("request", .string("GET /stock/:item"))])
    return withCrumbs(["request": "outer", "order": 42, "requestID": 1]) {
      Array("7f".utf8).withUnsafeBytes { CrumbContext(adding: route, "requestID", $0) }
    }
  }

  @Test func bothEndsHaveTheContextThatIsHeldAndTheLastHowLongItTook() throws {
    let begun = recorder.begin(begins, in: request())
    recorder.record("beside")
    recorder.end(ends, of: begun, status: 404)
    recorder.record("after")
    #expect(recorder.nanoseconds(since: begun.since) > 0)
    var found = try data()
    let context: [String: IncidentModel.CrumbValue] = [
      "order": .integer(42), "request": .string("GET /stock/:item"), "requestID": .string("7f"),
    ]
    #expect(found["begins"] == context && found["beside"] == context && found["after"] == [:])
    guard case .integer(let nanoseconds) = found["ends"]?.removeValue(forKey: "nanoseconds") else {
      Issue.record("it does not say how long it took")
      return
    }
    #expect(nanoseconds > 0)
    #expect(found["ends"] == context.merging(["status": .integer(404)]) { $1 })
    #expect(try scratch.incident().crumbs.allSatisfy { $0.level == .info })
  }

  @Test func anEndHasItsOwnWhereTheContextLeavesItNoRoom() throws {
    let much = String(repeating: "much ", count: 400)
    let request = CrumbContext(only: [("request", .string("GET /")), ("much", .string(much))])
    let begun = recorder.begin(begins, in: request)
    recorder.end(ends, of: begun, status: 200)
    let crumbs = try scratch.incident().crumbs
    #expect(
      crumbs.map { $0.data.map(\.key) } == [["request", "much"], ["status", "nanoseconds"]])
    #expect(crumbs.map(\.isDataCut) == [false, true])
  }

  /// All sizes that leave something of the last word, or nothing.
  @Test(arguments: 0...24) func bothEndsAreWholeWhateverTheContextsSize(size: Int) throws {
    let name = String("GET /stock/:item/of/what".prefix(size))
    let request = CrumbContext(only: [("request", .string(name)), ("id", .integer(7))])
    let begun = recorder.begin(begins, in: request)
    recorder.end(ends, of: begun, status: 200)
    let found = try data()
    #expect(found["begins"] == ["request": .string(name), "id": .integer(7)])
    #expect(found["ends"]?.count == 4 && found["ends"]?["request"] == .string(name))
  }

  /// What all requests of a route have: bytes that are there for ever, and an ending of each its own.
  private let route = LastingContext([
    ("request", .string("GET /stock/:item")), ("id", .string("a0000000000000000")),
  ])!

  private func ending(_ digits: String) -> (UInt64, UInt64) {
    Array(digits.utf8).withUnsafeBytes { $0.loadUnaligned(as: (UInt64, UInt64).self) }
  }

  @Test func eachThatIsHeldHasItsOwnEnding() throws {
    let first = recorder.begin(begins, in: route, endingIn: ending("1111111111111111"))
    recorder.record("fixed")
    recorder.record("data", data: ["own": 1])
    withCrumbs(["order": 1]) { recorder.record("inner") }
    withCrumbs(["id": "b"]) { recorder.record("replaced") }
    recorder.end(ends, of: first, status: 200)
    let second = recorder.begin(begins, in: route, endingIn: ending("2222222222222222"))
    recorder.record("of the second")
    recorder.end(ends, of: second, status: 200)
    let context: [String: IncidentModel.CrumbValue] = [
      "request": .string("GET /stock/:item"), "id": .string("a1111111111111111"),
    ]
    let found = try data()
    #expect(found["fixed"] == context && found["begins"] == context)
    #expect(found["data"] == context.merging(["own": .integer(1)]) { $1 })
    #expect(found["inner"] == context.merging(["order": .integer(1)]) { $1 })
    #expect(found["replaced"] == context.merging(["id": .string("b")]) { $1 })
    #expect(found["of the second"]?["id"] == .string("a2222222222222222"))
    let ids = try scratch.incident().crumbs.filter { $0.message == "ends" }.map { crumb in
      crumb.data.first { $0.key == "id" }?.value
    }
    #expect(ids == [.string("a1111111111111111"), .string("a2222222222222222")])
  }

  @Test func oneThatIsHeldInsideOfOtherValuesHasTheseToo() throws {
    withCrumbs(["order": 42, "id": 7]) {
      let begun = recorder.begin(begins, in: route, endingIn: ending("3333333333333333"))
      recorder.record("inside")
      recorder.end(ends, of: begun, status: 200)
      recorder.record("behind")
    }
    let found = try data()
    #expect(
      found["inside"] == [
        "order": .integer(42), "request": .string("GET /stock/:item"),
        "id": .string("a3333333333333333"),
      ])
    #expect(found["ends"]?["id"] == .string("a3333333333333333"))
    #expect(found["behind"] == ["order": .integer(42), "id": .integer(7)])
  }

  @Test func whatHasNoRoomForItsEndingIsNotMade() {
    let much = String(repeating: "much ", count: 400)
    #expect(LastingContext([("much", .string(much)), ("id", .string("a0000000000000000"))]) == nil)
  }

  @Test func whatIsGivenBackHoldsNoMemory() throws {
    weak var memory: ContextMemory?
    do {
      let context = request()
      memory = context.memory
      let begun = recorder.begin(begins, in: context)
      recorder.end(ends, of: begun, status: 200)
      #expect(memory != nil)
      withExtendedLifetime(context) {}
    }
    #expect(memory == nil)
  }

  @Test func aTaskGoesOnWithItWhenItWasGivenBack() async throws {
    let (begun, task) = (
      recorder.begin(begins, in: route, endingIn: ending("4444444444444444")),
      Task { [recorder] in
        try await Task.sleep(for: .milliseconds(20))
        recorder.record("later")
      }
    )
    recorder.end(ends, of: begun, status: 202)
    try await task.value
    #expect(try data()["later"]?["id"] == .string("a4444444444444444"))
  }

  @Test func aRedactionHookSeesBothEnds() throws {
    let redacting = try BreadcrumbRecorder(
      path: scratch.log + ".2", automatic: [],
      redact: { draft in
        draft.message += "!"
        draft.data.removeAll { $0.key == "order" || $0.key == "nanoseconds" }
      })
    let begun = redacting.begin(begins, in: request())
    redacting.end(ends, of: begun, status: 200)
    let crumbs = try scratch.incident("breadcrumbs.log.2").crumbs
    #expect(crumbs.map(\.message) == ["begins!", "ends!"])
    #expect(
      crumbs.map { $0.data.map(\.key) } == [
        ["request", "requestID"], ["status", "request", "requestID"],
      ])
  }
}
