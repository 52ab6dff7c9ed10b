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

  @Test func aStackBelowItIsThatOfTheCaller() throws {
    let leave = { [recorder] in recorder.record("walked", stack: .always) }
    leave()
    withCrumbs(["order": 42]) { leave() }
    let stacks = try scratch.incident().crumbs.compactMap { $0.stack?.frames }
    let caller = try #require(stacks.first?.first)
    // A frame of ours may come first.
    #expect(stacks.count == 2 && stacks[1].prefix(2).contains(caller))
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
}
