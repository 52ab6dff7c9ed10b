import Foundation
import Testing

@testable import Squad

@Suite struct SquadProviderTests {
  private let directory: TemporaryDirectory
  private let squad: SquadProvider

  init() throws {
    directory = try TemporaryDirectory()
    let nobody = HeroAPI(
      heroes: { _, _ in CancelFlag() }, appearances: { _, _ in CancelFlag() })
    squad = DataProvider(api: nobody, persister: Persister(directory: directory.url)).squad
  }

  private func load() async -> Result<[Superhero], PersisterError> {
    await answer { squad.load($0) }
  }

  @Test func beginsWithNobody() async {
    #expect(await load() == .success([]))
  }

  @Test func theHiredComeInTheirOrderAndOnceOnly() async {
    for id in [3, 1, 3] {
      let _: Result<[Superhero], PersisterError> = await answer { squad.hire(.sample(id), $0) }
    }
    #expect(await load() == .success([.sample(3), .sample(1)]))
  }

  @Test func theFiredAreGone() async {
    for id in [1, 2] {
      let _: Result<[Superhero], PersisterError> = await answer { squad.hire(.sample(id), $0) }
    }
    for id in [1, 1, 7] {
      let left: Result<[Superhero], PersisterError> = await answer { squad.fire(id, $0) }
      #expect(left == .success([.sample(2)]))
    }
  }

  @Test func aDamagedSquadIsBegunAnewAndKeptAside() async throws {
    try Data("not a squad".utf8).write(to: directory.url.appendingPathComponent("squad.json"))
    #expect(await load() == .success([]))
    try Data("not a squad".utf8).write(to: directory.url.appendingPathComponent("squad.json"))
    let hired: Result<[Superhero], PersisterError> = await answer { squad.hire(.sample(1), $0) }
    #expect(hired == .success([.sample(1)]))
    #expect(directory.files == ["squad.json", "squad.json.damaged"])
  }

  @Test func whoCannotBeSavedIsNotHired() async throws {
    try FileManager.default.createDirectory(
      at: directory.url.appendingPathComponent("squad.json"), withIntermediateDirectories: true)
    let hired: Result<[Superhero], PersisterError> = await answer { squad.hire(.sample(1), $0) }
    #expect(hired == .failure(.unreadable))
  }
}
