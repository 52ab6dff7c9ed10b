import Foundation
import FoundationNetworking
import SampleSupport
import SquadServer
import Testing

@testable import Squad

/// The data provider between a real server and real files.
@Suite struct DataProviderTests {
  private let server: HeroServer
  private let directory: TemporaryDirectory
  private let persister: Persister
  private let data: DataProvider

  init() throws {
    server = try HeroServer(heroes: 45)
    directory = try TemporaryDirectory()
    persister = Persister(directory: directory.url)
    data = DataProvider(
      api: .live(
        Remote(URLSession.withoutCache(queue: "squad.network"), retry: .never), at: server.url),
      persister: persister)
  }

  private func heroes(
    from offset: Int
  ) async -> Result<Provided<HeroPage>, RemoteError> {
    await answer { _ = data.heroes.provide(offset, $0) }
  }

  @Test func theAPIIsPreferredToWhatIsPersisted() async throws {
    let stale: Result<Void, PersisterError> = await answer {
      Persister(directory: directory.url).save(
        HeroPage.sample(1...1, offset: 0), named: "heroes-0", answer: $0)
    }
    try stale.get()
    let page = try await heroes(from: 0).get()
    guard case .fresh(let fresh) = page else {
      Issue.record("it is \(page)")
      return
    }
    #expect(fresh.heroes.count == 20)
  }

  @Test func whatTheAPISaidIsThereWhenItFails() async throws {
    let fresh = try await heroes(from: 20).get().value
    server.answer("/v1", with: .status(500))
    #expect(await heroes(from: 20) == .success(.persisted(fresh, .status(500))))
    server.recover()
    #expect(await heroes(from: 20) == .success(.fresh(fresh)))
  }

  @Test func eachPageIsPersistedForItself() async throws {
    _ = try await heroes(from: 0).get()
    server.answer("/v1", with: .status(500))
    #expect(await heroes(from: 20) == .failure(.status(500)))
  }

  @Test func withNeitherThereIsTheNetworksError() async throws {
    server.answer("/v1", with: .text("{}"))
    guard case .failure(.malformed) = await heroes(from: 0) else {
      Issue.record("there was nothing to show")
      return
    }
  }

  @Test func aDamagedFileCountsAsNone() async throws {
    let fresh = try await heroes(from: 0).get().value
    // An answer does not wait for its file; what asks for the file does.
    let saved: Result<HeroPage?, PersisterError> = await answer {
      persister.load(HeroPage.self, named: "heroes-0", answer: $0)
    }
    #expect(saved == .success(fresh))
    try Data("{".utf8).write(to: directory.url.appendingPathComponent("heroes-0.json"))
    server.answer("/v1", with: .status(500))
    #expect(await heroes(from: 0) == .failure(.status(500)))
  }

  @Test func appearancesGoTheSameWay() async throws {
    let fresh: Result<Provided<Appearances>, RemoteError> = await answer {
      _ = data.appearances.provide(3, $0)
    }
    server.stop()
    let persisted: Result<Provided<Appearances>, RemoteError> = await answer {
      _ = data.appearances.provide(3, $0)
    }
    guard case .persisted(let value, .unreachable) = try persisted.get() else {
      Issue.record("it is \(persisted)")
      return
    }
    #expect(try value == fresh.get().value)
    #expect(value.comics.count == 2)
  }
}
