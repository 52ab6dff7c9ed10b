import AffinityTesting
import Foundation
import Testing

@testable import Sites

/// The tests that `crashscan repro LOG --finding N` writes of the program's log, with the real types in
/// the stand-in's place: the model for what it says of publishing, the whole app for what it says of
/// layout. All findings have the same deliveries.
///
/// What is ours in them: `Subject` and `Screen` in place of `StandIn`, the two ways of answering, and
/// children for what ends a process.
@Suite(.serialized) struct ReproTests {
  /// The model whose callback was called back, with the request that it waits for.
  private final class Subject: Sendable {
    private let transport = HeldTransport()
    private let model: SiteListViewModel

    @MainActor
    init(_ answering: NetworkingService.Answering) throws {
      model = SiteListViewModel(
        service: NetworkingService(
          config: try Samples.config(), transport: transport, answering: answering),
        archive: SiteArchive(archive: FileArchive(folder: ScratchFolder.none.url)),
        localization: Localization(preferring: ["en"]))
      model.loadSites()
    }

    var isRight: Bool { model.isLoading || model.sites == Samples.sites }

    func calledBack(_ number: Int) { transport.answer(0, Samples.json(Samples.sites)) }
  }

  /// The app whose list was called back.
  private final class Screen: Sendable {
    private let transport = HeldTransport()
    private let app: TestApp

    @MainActor
    init(_ answering: NetworkingService.Answering) throws {
      app = try TestApp(transport, folder: .none, answering: answering)
      _ = app.text
    }

    func calledBack(_ number: Int) { transport.answer(0, Samples.json(Samples.sites)) }
  }

  private let storm = CallbackStorm(
    replaying: "on queue: SiteListViewModel.loadSites(whenDone:)")

  private static func play(
    _ answering: NetworkingService.Answering
  ) -> CallbackStorm.Body {
    { scenario in
      let subject = try await Subject(answering)
      scenario.callback("SiteListViewModel.loadSites(whenDone:)") { number in
        subject.calledBack(number)
      }
      scenario.check("what was called back is right") { subject.isRight }
    }
  }

  @Test("finding 1: unhopped-callback: the bug") func replaysTheFinding() async throws {
    let bug = try #require(try await storm.findBug(against: Self.play(.whereItArrives)))
    #expect(bug.reason.contains("publishing of the sites"))
  }

  @Test("finding 1: unhopped-callback: the fix") func theFixHolds() async throws {
    try await storm.run(against: Self.play(.onMain))
  }

  private static func play(
    _ answering: NetworkingService.Answering, onScreenBy scenario: StormScenario
  ) async throws {
    let screen = try await Screen(answering)
    scenario.callback("SiteListViewModel.loadSites(whenDone:)") { number in
      screen.calledBack(number)
    }
  }

  @Test("finding 4: unhopped-callback: the bug") func replaysTheLayout() async throws {
    let bug = try #require(
      try await storm.findBug(inChildren: true) { scenario in
        try await Self.play(.whereItArrives, onScreenBy: scenario)
      })
    #expect(bug.reason.contains("“layout engine” was recorded off the main queue"))
  }

  @Test("finding 4: unhopped-callback: the fix") func theLayoutIsLeftToTheMainQueue() async throws {
    try await storm.run(inChildren: true) { scenario in
      try await Self.play(.onMain, onScreenBy: scenario)
    }
  }
}
