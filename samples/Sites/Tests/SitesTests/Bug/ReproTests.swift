import AffinityTesting
import Foundation
import Testing

@testable import Sites

/// The test that `crashscan repro LOG --finding 1` writes of the program's log, with the real type in
/// the stand-in's place.
///
/// What is ours in it: `Subject` in place of `StandIn`, and the two ways of answering.
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
        localization: Localization(preferred: ["en"]))
      model.loadSites()
    }

    var isRight: Bool { model.isLoading || model.sites == Samples.sites }

    func calledBack(_ number: Int) { transport.answer(0, Samples.json(Samples.sites)) }
  }

  private let storm = CallbackStorm(
    replaying: "on queue: closure #1 in SiteListViewModel.loadSites(whenDone:)")

  private static func play(
    _ answering: NetworkingService.Answering
  ) -> CallbackStorm.Body {
    { shim in
      let subject = try await Subject(answering)
      shim.callback("closure #1 in SiteListViewModel.loadSites(whenDone:)") { number in
        subject.calledBack(number)
      }
      shim.check("what was called back is right") { subject.isRight }
    }
  }

  @Test("finding 1: unhopped-callback: the bug") func replaysTheFinding() async throws {
    let bug = try #require(try await storm.findBug(in: Self.play(.whereItArrives)))
    #expect(bug.reason.contains("publishing of the sites"))
  }

  @Test("finding 1: unhopped-callback: the fix") func theFixHolds() async throws {
    try await storm.run(against: Self.play(.onMain))
  }
}
