import AffinityTesting
import Foundation
import SitesServer
import Testing

@testable import Sites

/// Storms that know what the session can call back, and nothing of what is wrong with it.
@Suite(.serialized) struct PublishingStormTests {
  /// The whole app as a storm sees it: answers to the list, to images and to pages, and a person who
  /// pulls the list down whenever it is there.
  @MainActor
  private static func offer(_ answering: NetworkingService.Answering, to scenario: StormScenario)
    throws
  {
    let transport = HeldTransport()
    let app = try TestApp(
      transport, folder: .none, height: 30, answering: answering, archive: MemoryArchive())
    let list = Samples.json(sites)
    let again: @Sendable () -> Void = {
      DispatchQueue.main.async { MainActor.assumeIsolated { app.pull(2) } }
    }
    scenario.callback("list answered") {
      transport.answerNewest("/sites.json", list)
      again()
    }
    scenario.callback("list refused") {
      transport.answerNewest("/sites.json", status: 500)
      again()
    }
    scenario.callback("list lost") {
      transport.failNewest("/sites.json")
      again()
    }
    scenario.callback("image answered") { transport.answerNewest("/icon", Data(Pictures.png)) }
    scenario.callback("image lost") { transport.failNewest("/icon") }
    scenario.onCancel { MainActor.assumeIsolated { app.table.reloadData() } }
    scenario.check("what is shown is what was received") {
      MainActor.assumeIsolated {
        app.names == app.model.sites.map(\.name) && (app.names.isEmpty || app.names == names)
      }
    }
    scenario.check("the wheel turns only while something is awaited") {
      MainActor.assumeIsolated { app.text.contains("Loading sites") == app.model.isLoading }
    }
  }

  private static let names = ["One", "Two"]

  private static let sites = names.map {
    Site(name: $0, url: "http://a.example/", icon: "http://a.example/icon", description: "About it")
  }

  @Test(arguments: [1, 3] as [UInt64])
  func aStormFindsTheBugAndShrinksIt(seed: UInt64) async throws {
    let found = try await CallbackStorm(seed: seed, deliveries: 200).findBug(inChildren: true) {
      try await Self.offer(.whereItArrives, to: $0)
    }
    let bug = try #require(found)
    // A failure is published at once only where there is a list to be kept: that takes two.
    #expect(bug.schedule.deliveries <= 2, "\(bug)")
    #expect("\(bug.schedule)".contains("list answered"), "\(bug)")
    #expect(bug.reason.contains("closure #1 in SiteListViewModel.loadSites(whenDone:)"), "\(bug)")
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func noStormFindsAnythingWithTheFix(seed: UInt64) async throws {
    try await CallbackStorm(seed: seed, deliveries: 200).run(against: { scenario in
      try await Self.offer(.onMain, to: scenario)
    })
  }
}
