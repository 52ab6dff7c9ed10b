import AffinityTesting
import Breadcrumbs
import CrashTesting
import HeadlessUI
import Synchronization
import Testing

@testable import Browser

// unhopped-callback: The closure in ChapterController.load() (ChapterController.swift:32) is called on
// queue chapters.network and touches “chapter” without a hop
//   delivered by its queue closure #1 in ChapterLoader.load(_:answer:) ChapterLoader.swift:31
//   called back closure #2 in ChapterController.load() ChapterController.swift:32
//   no hop to the main queue
//   touched “chapter” ChapterController.show(_:) ChapterController.swift:37
//
// All other findings of the same log are of the same callback, and of what it touched next.

/// A chapter in a window, in place of the stand-in that `crashscan repro` has written.
@MainActor
private final class Subject {
  /// Keeps who waits for the chapter.
  private final class Loader: ChapterLoading {
    let waiting = Mutex<[Answer]>([])

    func load(_ number: Int, answer: @escaping Answer) -> ChapterLoad {
      waiting.withLock { $0.append(answer) }
      return ChapterLoad {}
    }
  }

  private let loader = Loader()
  private let window = Window(size: Size(width: 30, height: 9))
  private let wasCalledBack = Atomic(false)

  init(_ care: ChapterCare) {
    window.rootViewController = ChapterController(0, loader: loader, care: care)
    window.layoutIfNeeded()
  }

  /// Whether the chapter is shown once it has come.
  nonisolated var isRight: Bool {
    MainActor.assumeIsolated {
      window.renderedText().contains("This is it.") == wasCalledBack.load(ordering: .relaxed)
    }
  }

  nonisolated func calledBack() {
    wasCalledBack.store(true, ordering: .relaxed)
    for answer in loader.waiting.withLock({ $0 }) {
      answer(.success(Chapter(title: "Chapter", paragraphs: ["This is it."])))
    }
  }
}

/// The bug's findings, delivered again: the fix is in as long as these pass.
@Suite struct ReproTests {
  private static let storm = CallbackStorm(
    replaying: "on queue: ChapterController.load()")

  @MainActor
  private static func offer(_ care: ChapterCare, to scenario: StormScenario) {
    let subject = Subject(care)
    scenario.callback("ChapterController.load()") { subject.calledBack() }
    scenario.check("what was called back is right") { subject.isRight }
  }

  @Test func theBugFailsIt() async throws {
    let bug = try await Self.storm.findBug(
      forbidding: "unhopped-callback", "off-main-ui", "crash-cause"
    ) {
      await Self.offer(.none, to: $0)
    }
    #expect(bug?.reason.contains("closure #2 in ChapterController.load()") == true)
  }

  @Test func theFixPassesIt() async throws {
    try await Self.storm.run(
      forbidding: "unhopped-callback", "off-main-ui", "crash-cause",
      against: { await Self.offer(.hop, to: $0) })
  }
}
