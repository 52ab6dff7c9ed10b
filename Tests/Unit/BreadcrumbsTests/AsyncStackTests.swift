import Breadcrumbs
import CRecorder
import Foundation
import IncidentModel
import Synchronization
import Testing
import ThreadAffinity

/// The stack of a task goes on with those who wait.
@Suite struct AsyncStackTests {
  private let scratch: Scratch
  private let recorder: BreadcrumbRecorder

  init() throws {
    scratch = try Scratch()
    recorder = try BreadcrumbRecorder(
      path: scratch.log, capacity: 8 << 20, stackDepth: 128, automatic: [])
  }

  /// Goes as deep as that, by calls that each wait for the next, and leaves a crumb there.
  private func descend(_ depth: Int, suspends: Bool) async -> Int {
    if depth == 0 {
      if suspends { await Task.yield() }
      recorder.record("at the bottom", stack: .always)
      return 1
    }
    if suspends, depth % 3 == 0 { await Task.yield() }
    return await descend(depth - 1, suspends: suspends) + 1
  }

  private func callers(_ crumb: Crumb) throws -> [UInt64] {
    try #require(crumb.stack).frames.filter(\.isAsyncCaller).map(\.recorded)
  }

  @Test(arguments: [false, true]) func everyCallerIsThereOnce(suspends: Bool) async throws {
    let depths = [0, 1, 2, 7, 30]
    for depth in depths {
      // Twice in a row, so that the second is compared with the first.
      for _ in 0..<3 {
        #expect(await descend(depth, suspends: suspends) == depth + 1)
      }
    }
    let crumbs = try scratch.incident().crumbs
    #expect(crumbs.count == depths.count * 3)
    let depthOfCrumb = depths.flatMap { [$0, $0, $0] }
    let shallow = try callers(crumbs[0])
    for (crumb, depth) in zip(crumbs, depthOfCrumb) {
      let callers = try callers(crumb)
      #expect(callers.count == shallow.count + depth)
      // What waits in `descend` itself goes on in one place of it.
      #expect(Set(callers.prefix(depth)).count == min(depth, 1))
      #expect(Array(callers.suffix(shallow.count - 1)) == Array(shallow.suffix(shallow.count - 1)))
      #expect(crumb.stack?.end == .complete)
    }
  }

  @Test func tasksDoNotTakeOneAnothersCallers() async throws {
    await withTaskGroup(of: Void.self) { group in
      for depth in 0..<24 {
        group.addTask {
          for _ in 0..<20 { _ = await descend(depth, suspends: true) }
        }
      }
    }
    let crumbs = try scratch.incident().crumbs
    #expect(crumbs.count == 24 * 20)
    let counts = try crumbs.map { try callers($0).count }
    let shallowest = try #require(counts.min())
    for depth in 0..<24 { #expect(counts.filter { $0 == shallowest + depth }.count == 20) }
  }

  @Test func actorsAndTheMainActorHaveCallersToo() async throws {
    actor Till {
      func count(_ recorder: BreadcrumbRecorder) { recorder.record("counted", stack: .always) }
    }
    @MainActor func show() { recorder.record("shown", stack: .always) }
    await Till().count(recorder)
    await show()
    let crumbs = try scratch.incident().crumbs
    #expect(crumbs.count == 2)
    for crumb in crumbs {
      #expect(try callers(crumb).count >= 2, "\(crumb.message)")
    }
  }

  @Test func whoeverIsToldOfAViolationGetsAddresses() async throws {
    let caught = Mutex<AffinityViolation?>(nil)
    // No `.record`: the crumb would go to the recorder that was opened last, which may be another test's.
    let policy: ViolationPolicy = [.report { violation in caught.withLock { $0 = violation } }]
    @inline(never) func draw() async {
      await Task.yield()
      _ = policy.repeating(.always).scoped { expectMainQueue("row is drawn") }
    }
    await draw()
    let violation = try #require(caught.withLock { $0 })
    let callers = violation.frames.count { StackWord.isAsyncCaller($0) }
    #expect(callers >= 1 && violation.frames.last.map(StackWord.isAsyncCaller) == true)
    #expect(violation.stack == violation.frames.map(StackWord.address))
    #expect(violation.stack.allSatisfy { $0 < 1 << 48 })
  }

  // MARK: What is no chain

  /// Made-up contexts: each names the one that waits, and where that goes on.
  private final class Contexts {
    let words = UnsafeMutablePointer<UInt>.allocate(capacity: 512)
    init() { words.initialize(repeating: 0, count: 512) }
    deinit { words.deallocate() }
    func address(_ number: Int) -> UInt { UInt(bitPattern: words + 2 * number) }
    func set(_ number: Int, parent: UInt, resume: UInt) {
      words[2 * number] = parent
      words[2 * number + 1] = resume
    }
  }

  private func walked(
    _ context: UInt, asking: ms_asking = MS_ASK_ALWAYS, room: Int = 64
  ) -> (count: Int, end: ms_walk_end) {
    var frames = [UInt](repeating: 0, count: room)
    var end = MS_WALK_COMPLETE
    let count = ms_async_callers(context, asking, &frames, UInt32(room), &end)
    return (Int(count), end)
  }

  @Test(arguments: [MS_ASK_ONCE.rawValue, MS_ASK_ALWAYS.rawValue])
  func aDamagedChainEndsWithItsReason(asking: UInt32) {
    let asking = ms_asking(asking)
    let contexts = Contexts()
    let code = UInt(bitPattern: dlsym(nil, "malloc"))
    contexts.set(0, parent: contexts.address(1), resume: code)
    contexts.set(1, parent: 0, resume: code)
    #expect(walked(contexts.address(0), asking: asking) == (2, MS_WALK_COMPLETE))
    #expect(walked(contexts.address(0), asking: asking, room: 1) == (1, MS_WALK_LIMIT))
    for wrong: UInt in [1, 8, 16, 4096 + 8, contexts.address(0) + 8, 0xdead_beef_0000, .max - 15] {
      contexts.set(1, parent: wrong, resume: code)
      #expect(walked(contexts.address(0), asking: asking) == (2, MS_WALK_BAD_CALLERS))
    }
    for wrong: UInt in [0, 1, contexts.address(0), .max] {
      contexts.set(1, parent: 0, resume: wrong)
      #expect(walked(contexts.address(0), asking: asking) == (1, MS_WALK_BAD_CALLERS))
    }
    for length in 1...40 {
      for number in 0..<length {
        let next = (number + 1) % length
        contexts.set(number, parent: contexts.address(next), resume: code)
      }
      let (count, end) = walked(contexts.address(0), asking: asking, room: 256)
      #expect(end == MS_WALK_BAD_CALLERS)
      #expect(count >= length && count <= 3 * length, "a circle of \(length): \(count)")
    }
  }
}
