import AffinityTesting
import BackgroundLayout
import Breadcrumbs
import HeadlessUI
import Testing

// unhopped-callback: The closure in FeedController.savePositions() (FeedController.swift:86) is called on
// queue com.example.reader.positions and touches “saved mark” without a hop
//   delivered by its queue closure #1 in PositionStore.save(_:completion:) PositionStore.swift:17
//   called back closure #2 in FeedController.savePositions() FeedController.swift:86
//   no hop to the main queue
//   touched “saved mark” FeedController.showSaved(_:) FeedController.swift:100

/// The list, in place of the stand-in that `crashscan repro` has written.
@MainActor
private final class SavedSubject {
  private let reader: Reader
  private let store = HeldStore()

  init(_ remedy: Remedy) throws { reader = try Reader(remedy, store: store) }

  /// Whether the screen keeps quiet in the background.
  nonisolated var isRight: Bool {
    MainActor.assumeIsolated {
      reader.application.applicationState != .background
        || reader.window.renderedText().contains("· no articles")
    }
  }

  nonisolated func lifecycle(_ event: LifecycleEvent) {
    MainActor.assumeIsolated { reader.application.follow(event) }
  }

  nonisolated func calledBack(_ number: Int) { store.answer() }
}

@Suite struct ReproSavedPositions {
  private static let storm = CallbackStorm(
    replaying: "background; on queue: FeedController.savePositions()")

  @MainActor
  private static func offer(_ remedy: Remedy, to scenario: StormScenario) throws {
    let subject = try SavedSubject(remedy)
    scenario.lifecycle.onEvent { subject.lifecycle($0) }
    scenario.callback("FeedController.savePositions()") { number in
      subject.calledBack(number)
    }
    scenario.check("no UI work in the background") { subject.isRight }
  }

  @Test func theBugFailsIt() async throws {
    let bug = try await Self.storm.findBug { try await Self.offer(.none, to: $0) }
    #expect(bug?.reason.contains("saved mark: expected main queue") == true)
  }

  @Test func hoppingAloneChangesTheScreenUnseen() async throws {
    let bug = try await Self.storm.findBug { try await Self.offer(.hop, to: $0) }
    #expect(bug?.reason.contains("no UI work in the background") == true)
  }

  @Test func theFixPassesIt() async throws {
    try await Self.storm.run { try await Self.offer(.pause, to: $0) }
  }
}
