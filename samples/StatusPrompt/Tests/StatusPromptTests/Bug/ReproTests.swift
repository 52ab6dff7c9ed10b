import AffinityTesting
import Breadcrumbs
import CrashTesting
import HeadlessUI
import StatusModel
import Testing

@testable import StatusPrompt

// unhopped-callback: The closure in CheckState.check() (CheckState.swift:17) is called on queue
// status.network and touches “status screens” without a hop
//   delivered by its queue closure #1 in StatusAPI.send(_:_:) StatusAPI.swift:38
//   called back closure #1 in CheckState.check() CheckState.swift:17
//   no hop to the main queue
//   touched “status screens” StatusFlow.show(_:) StatusFlow.swift:81
//
// All other findings of the same log are of the same callback, and of what it touched next.

/// The app, in place of the stand-in that `crashscan repro` has written.
@MainActor
private final class Subject {
  private let app: App
  private let service = HeldService()
  private let outdated: KYSProfile
  private var seen: String?

  init(_ care: AnswerCare) throws {
    app = try App(care, service: service)
    outdated = try profile(checked: "2019-11-23")
    app.application.launch()
    app.window.layoutIfNeeded()
  }

  /// Whether the screen is what it was when the app went to the background.
  nonisolated var isRight: Bool {
    MainActor.assumeIsolated { seen.map { $0 == app.text } ?? true }
  }

  nonisolated func lifecycle(_ event: LifecycleEvent) {
    MainActor.assumeIsolated {
      app.application.follow(event)
      if event == .didEnterBackground { seen = app.text }
      if event == .willEnterForeground { seen = nil }
    }
  }

  nonisolated func calledBack() { service.answer(outdated) }
}

/// The bug's findings, delivered again: the fix is in as long as these pass.
@Suite struct ReproTests {
  private static let storm = CallbackStorm(
    replaying: "on queue: CheckState.check()")

  @MainActor
  private static func offer(_ care: AnswerCare, to scenario: StormScenario) throws {
    let subject = try Subject(care)
    scenario.lifecycle.onEvent { subject.lifecycle($0) }
    scenario.callback("CheckState.check()") { subject.calledBack() }
    scenario.check("no UI work in the background") { subject.isRight }
  }

  @Test func theBugFailsIt() async throws {
    let bug = try await Self.storm.findBug(
      forbidding: "unhopped-callback", "off-main-ui", "crash-cause"
    ) {
      try await Self.offer([], to: $0)
    }
    #expect(bug?.reason.contains("closure #1 in CheckState.check()") == true)
  }

  @Test func theFixPassesIt() async throws {
    try await Self.storm.run(
      forbidding: "unhopped-callback", "off-main-ui", "crash-cause",
      against: { try await Self.offer(.full, to: $0) })
  }

  // MARK: - What a hop alone leaves

  private static let unseen = CallbackStorm(
    replaying: "background; on queue: CheckState.check()")

  @Test func aHopAloneFailsItInTheBackground() async throws {
    let bug = try await Self.unseen.findBug { try await Self.offer(.hops, to: $0) }
    #expect(bug?.reason.contains("no UI work in the background") == true)
  }

  @Test func theFixPassesItInTheBackground() async throws {
    try await Self.unseen.run(against: { try await Self.offer(.full, to: $0) })
  }
}
