import AffinityTesting
import Foundation
import Observation
import Synchronization
import Testing

@testable import Sites

/// The model by itself: what it publishes, and when.
@MainActor @Suite(.affinityChecked) struct SiteListViewModelTests {
  private let transport = HeldTransport()
  private let folder = ScratchFolder()

  private func model() throws -> SiteListViewModel {
    SiteListViewModel(
      service: NetworkingService(config: try Samples.config(), transport: transport),
      archive: SiteArchive(archive: FileArchive(folder: folder.url.appending(path: "sites"))),
      localization: Localization(preferring: ["en"]))
  }

  /// Loads, with an answer to the newest request.
  private func load(_ model: SiteListViewModel, _ sites: [Site]) async {
    async let isDone: Void = model.loadSites()
    while !model.isLoading { await Task.yield() }
    transport.answerNewest("/sites.json", Samples.json(sites))
    await isDone
  }

  @Test func itBeginsEmptyAndPublishesWhatComes() async throws {
    let model = try model()
    #expect(model.sites.isEmpty && !model.isLoading && model.errorMessage == nil)
    await load(model, Samples.sites)
    #expect(model.sites == Samples.sites)
    #expect(!model.isLoading && !model.areSaved && model.errorMessage == nil)
  }

  @Test func unsortedIsWhatWasReceivedHoweverOftenItWasSorted() async throws {
    let model = try model()
    await load(model, Samples.sites)
    for state in SortState.allCases {
      #expect(model.sortState == state)
      #expect(model.sites == state.sorted(Samples.sites))
      model.toggleSort()
    }
    #expect(model.sites == Samples.sites)
  }

  @Test func aNewListIsSortedAsTheOldOneWas() async throws {
    let model = try model()
    await load(model, Samples.sites)
    model.toggleSort()
    await load(model, Samples.sites.reversed())
    #expect(model.sites == SortState.nameAscending.sorted(Samples.sites))
  }

  @Test func anAnswerThatComesTwiceIsHeardOnce() async throws {
    let model = try model()
    await load(model, Samples.sites)
    transport.answer(0, Data("[]".utf8))
    transport.answer(0, status: 500)
    #expect(model.sites == Samples.sites)
    #expect(model.errorMessage == nil)
  }

  @Test func whileItLoadsItAsksForNothingMore() async throws {
    let model = try model()
    for _ in 0..<3 { model.loadSites {} }
    await model.loadSites()
    #expect(transport.requests.count == 1)
  }

  @Test func aModelThatIsGoneHearsNothing() async throws {
    weak var gone: SiteListViewModel?
    let ended = Mutex(0)
    do {
      let model = try model()
      gone = model
      model.loadSites { ended.withLock { $0 += 1 } }
    }
    #expect(gone == nil)
    transport.answer(0, Samples.json(Samples.sites))
    #expect(ended.withLock { $0 } == 1)
  }

  @Test func whoObservesItIsToldOfEachChange() async throws {
    let model = try model()
    await load(model, Samples.sites)
    var changes = 0
    for _ in 0..<3 {
      withObservationTracking {
        _ = model.sites
      } onChange: {
        MainActor.assumeIsolated { changes += 1 }
      }
      model.toggleSort()
    }
    #expect(changes == 3)
  }

  @Test func aMalformedAddressIsNotOpenedAndSaid() async throws {
    let model = try model()
    #expect(model.address(of: Samples.sites[0]) == URL(string: "https://www.swift.org/"))
    #expect(model.errorMessage == nil)
    #expect(model.address(of: Samples.sites[2]) == nil)
    #expect(model.errorMessage == "This is no web address: ftp:no host")
    _ = model.address(of: Samples.sites[0])
    #expect(model.errorMessage == nil)
  }
}
