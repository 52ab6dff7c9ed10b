import Foundation
import FoundationNetworking
import SampleSupport
import SquadServer
import Testing

@testable import Squad

/// What the app asks of the API, and what it reads from the answers.
@Suite struct HeroAPITests {
  private let server: HeroServer
  private let api: HeroAPI

  init() throws {
    server = try HeroServer(heroes: 45)
    api = .live(
      Remote(URLSession.withoutCache(queue: "squad.network"), retry: .never), at: server.url)
  }

  private func heroes(from offset: Int) async throws -> HeroPage {
    let outcome: Result<HeroPage, RemoteError> = await answer { _ = api.heroes(offset, $0) }
    return try outcome.get()
  }

  private func appearances(of hero: Int) async -> Result<Appearances, RemoteError> {
    await answer { _ = api.appearances(hero, $0) }
  }

  @Test func pagesFollowEachOtherUpToTheEnd() async throws {
    let pages = [try await heroes(from: 0), try await heroes(from: 20), try await heroes(from: 40)]
    #expect(pages.map(\.heroes.count) == [20, 20, 5])
    #expect(pages.flatMap(\.heroes).map(\.id) == Array(1...45))
    #expect(pages.allSatisfy { $0.total == 45 })
    #expect(server.requests[1].query == ["limit": "20", "offset": "20"])
  }

  @Test func aHeroComesWithAPictureOrWithout() async throws {
    let heroes = try await heroes(from: 0).heroes
    #expect(heroes[0].name == "Captain Ledger")
    #expect(heroes[0].image?.path == "/images/1.pgm")
    #expect(heroes[7].image == nil)
  }

  @Test func theLastComicsComeWithHowManyThereAre() async throws {
    let some = try await appearances(of: 4).get()
    #expect(some.comics.map(\.title) == ["Iron Ledger #20", "Iron Ledger #19"])
    #expect(some.others == 2)
    let none = try await appearances(of: 5).get()
    #expect(none == Appearances(total: 0, comics: []))
  }

  @Test func aHeroNobodyKnowsIsAnError() async {
    #expect(await appearances(of: 99) == .failure(.status(404)))
  }
}
