import Dispatch
import Foundation
import IncidentModel
import Testing

@testable import Breadcrumbs

/// What a crumb keeps of what it was given.
struct CrumbTests {
  private let scratch: Scratch
  private let recorder: BreadcrumbRecorder

  init() throws {
    scratch = try Scratch()
    recorder = try BreadcrumbRecorder(path: scratch.log, capacity: 1 << 20, automatic: [])
  }

  private func only() throws -> Crumb {
    let crumbs = try scratch.incident().crumbs
    #expect(crumbs.count == 1)
    return try #require(crumbs.first)
  }

  @Test func aCrumbComesBackAsItWasLeft() throws {
    let queue = DispatchQueue(label: "a queue of its own")
    let before = Date().timeIntervalSince1970
    queue.sync {
      recorder.record(
        "what \("happened")", level: .warning, category: "tests",
        data: ["text": "words", "whole": -7, "broken": 2.5, "true": true, "none": ""],
        stack: .always)
    }
    let crumb = try only()
    #expect(crumb.message == "what happened" && crumb.category == "tests")
    #expect(crumb.level == .warning && crumb.kind == .note)
    #expect(crumb["text"] == .string("words") && crumb["whole"] == .integer(-7))
    #expect(crumb["broken"] == .double(2.5) && crumb["true"] == .boolean(true))
    #expect(crumb["none"] == .string(""))
    #expect(crumb.queue?.label == "a queue of its own")
    #expect(crumb.onMain == .no)
    #expect(crumb.stack?.end == .complete || crumb.stack?.end == .limit)
    #expect((crumb.stack?.frames.count ?? 0) > 3)
    #expect(abs(Double(crumb.wall) / 1e9 - before) < 5)
    #expect(!crumb.isMessageCut && !crumb.isDataCut && !crumb.isInterrupting)
  }

  @Test(arguments: [0, 1, 2, 3])
  func aLongMessageIsCutBetweenCharactersAndMarked(shift: Int) throws {
    let text = String(repeating: "x", count: shift) + String(repeating: "🥖", count: 300)
    recorder.record(text)
    let crumb = try only()
    #expect(crumb.isMessageCut && !crumb.isDataCut)
    #expect(text.hasPrefix(crumb.message))
    #expect((1021...1024).contains(crumb.message.utf8.count))
  }

  @Test(arguments: [1023, 1024, 1025])
  func onlyWhatIsLongerThanTheLimitIsCut(length: Int) throws {
    recorder.record(String(repeating: "x", count: length))
    let crumb = try only()
    #expect(crumb.message.utf8.count == min(length, 1024))
    #expect(crumb.isMessageCut == (length > 1024))
  }

  @Test func longDataIsCutAndMarked() throws {
    let value = String(repeating: "é", count: 700)
    recorder.record("data", data: ["first": 1, "long": .string(value), "late": 2])
    let crumb = try only()
    #expect(crumb.isDataCut && !crumb.isMessageCut)
    #expect(crumb["first"] == .integer(1))
    guard case .string(let kept)? = crumb["long"] else { throw Failure("no value") }
    #expect(value.hasPrefix(kept) && kept.utf8.count > 900)
    #expect(crumb["late"] == nil)
  }

  @Test func aLongKeyIsCutAndMarked() throws {
    recorder.record("data", data: [String(repeating: "k", count: 80): 1])
    let crumb = try only()
    #expect(crumb.isDataCut)
    #expect(crumb.data.first?.key.utf8.count == 64)
  }

  @Test func nulsAndControlsSurvive() throws {
    recorder.record("a\0b\u{1b}[31m\nc", data: ["k\0y": "v\0\n"])
    let crumb = try only()
    #expect(crumb.message == "a\0b\u{1b}[31m\nc")
    #expect(crumb["k\0y"] == .string("v\0\n"))
  }

  @Test func moreValuesThanACrumbCountsAreCut() throws {
    recorder.close()
    let many = try BreadcrumbRecorder(
      path: scratch.path + "/many.log", capacity: 1 << 20, automatic: [],
      redact: { draft in draft.data = Array(repeating: ("", ""), count: 300) })
    many.record("many")
    let crumb = try #require(try scratch.incident("many.log").crumbs.first)
    #expect(crumb.data.count == 255 && crumb.isDataCut)
  }

  @Test func aLongCategoryIsCut() throws {
    recorder.record(
      "message",
      category: "a category that is longer than the sixty-four bytes that are kept of it, by far")
    #expect(try only().category.utf8.count == 64)
  }

  @Test func errorsCarryTheirStackUnlessToldOtherwise() throws {
    recorder.record("one", level: .error)
    recorder.record("two", level: .fatal, stack: .never)
    recorder.record("three", level: .warning)
    recorder.recordLifecycle(.didLaunch)
    recorder.recordLifecycle(.didBecomeActive, stack: .never)
    let stacks = try scratch.incident().crumbs.map { $0.stack != nil }
    #expect(stacks == [true, false, false, true, false])
  }

  @Test(arguments: [(0, 1), (1, 1), (3, 3), (128, 128), (500, 128)])
  func aStackIsAsDeepAsToldAndNoDeeperThanCanBe(told: Int, most: Int) throws {
    recorder.close()
    let deep = try BreadcrumbRecorder(
      path: scratch.path + "/deep.log", capacity: 1 << 20, stackDepth: told, automatic: [])
    descend(200) { deep.record("deep", stack: .always) }
    let stack = try #require(try scratch.incident("deep.log").crumbs.first?.stack)
    #expect(stack.frames.count == most && stack.end == .limit)
  }

  @inline(never)
  private func descend(_ depth: Int, _ body: () -> Void) {
    if depth > 0 { descend(depth - 1, body) } else { body() }
    withExtendedLifetime(depth) {}
  }

  @Test func aMessageIsNotEvaluatedOnceRecordingHasStopped() {
    recorder.close()
    var evaluated = false
    func message() -> String {
      evaluated = true
      return "message"
    }
    recorder.record(message())
    #expect(!evaluated)
  }
}
