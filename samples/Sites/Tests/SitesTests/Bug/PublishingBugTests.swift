import AffinityTesting
import CrashTesting
import Foundation
import FoundationNetworking
import SampleSupport
import SitesServer
import Testing
import ThreadAffinity

@testable import Sites

/// The bug: the list is published on the session's queue, with the real session and a real server.
@Suite(.serialized) struct PublishingBugTests {
  @Test func aListThatIsAnsweredWhereItArrivesEndsTheProcess() async {
    await expectCrash(
      .unhoppedCallback, culprit: "closure #1 in SiteListViewModel.loadSites(whenDone:)",
      within: .seconds(20)
    ) {
      Task { @MainActor in
        let server = try SiteServer()
        let app = try TestApp(server, folder: .none, answering: .whereItArrives)
        try await app.wait(for: "the end") { server.paths.isEmpty && false }
      }
    }
  }

  @Test func theCrashItselfIsBlamedOnTheSameCallback() async {
    await expectCrash(
      .crash, culprit: "closure #1 in SiteListViewModel.loadSites(whenDone:)",
      within: .seconds(20)
    ) {
      Task { @MainActor in
        let server = try SiteServer()
        let app = try TestApp(server, folder: .none, answering: .whereItArrives)
        try await app.wait(for: "the end") { server.paths.isEmpty && false }
      }
    }
  }

  @MainActor
  @Test func withoutAScreenItIsAViolationThatNamesThePublisher() async throws {
    let server = try SiteServer()
    let model = try model(server, answering: .whereItArrives)
    let violations = await expectViolation(of: .main, in: "publish") { await model.loadSites() }
    #expect(violations.first?.message == "publishing of the sites")
  }

  @MainActor
  @Test func aFailureIsPublishedOnMainEvenThen() async throws {
    let server = try SiteServer()
    server.stop()
    let model = try model(server, answering: .whereItArrives)
    // It is the archive that answers, and that hops: this is why nobody saw the bug offline.
    await expectNoViolations { await model.loadSites() }
    #expect(model.errorMessage == "The server cannot be reached.")
  }

  @MainActor
  @Test func withTheHopTheSameStoryEndsWell() async throws {
    let server = try SiteServer()
    try await expectNoViolations {
      let app = try TestApp(server, answering: .onMain)
      try await app.waitUntilLoaded()
      app.pull(2)
      try await app.waitUntilLoaded()
      #expect(app.names.first == "Tide tables")
    }
  }

  @MainActor
  private func model(
    _ server: SiteServer, answering: NetworkingService.Answering
  ) throws -> SiteListViewModel {
    let config = try Samples.config(["APIEndpoint": server.endpoint.absoluteString])
    return SiteListViewModel(
      service: NetworkingService(
        config: config, transport: URLSession.withoutCache(), answering: answering),
      archive: SiteArchive(archive: FileArchive(folder: ScratchFolder.none.url)),
      localization: Localization(preferring: ["en"]))
  }
}
