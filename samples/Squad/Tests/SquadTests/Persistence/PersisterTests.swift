import Foundation
import Testing

@testable import Squad

/// The persister on real files: what survives, and what is made of what did not.
@Suite struct PersisterTests {
  private let directory: TemporaryDirectory
  private let persister: Persister

  init() throws {
    directory = try TemporaryDirectory()
    persister = Persister(directory: directory.url.appendingPathComponent("made/when/needed"))
  }

  private var file: URL { persister.directory.appendingPathComponent("squad.json") }

  private func save(_ heroes: [Superhero]) async throws {
    let outcome: Result<Void, PersisterError> = await answer {
      persister.save(heroes, named: "squad", answer: $0)
    }
    try outcome.get()
  }

  private func load() async -> Result<[Superhero]?, PersisterError> {
    await answer { persister.load([Superhero].self, named: "squad", answer: $0) }
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: persister.directory.path).sorted()
  }

  @Test func whatWasSavedIsThereForTheNextProcess() async throws {
    try await save([.sample(1), .sample(2)])
    let another = Persister(directory: persister.directory)
    let loaded: Result<[Superhero]?, PersisterError> = await answer {
      another.load([Superhero].self, named: "squad", answer: $0)
    }
    #expect(loaded == .success([.sample(1), .sample(2)]))
  }

  @Test func whereNothingWasSavedThereIsNothing() async {
    #expect(await load() == .success(nil))
  }

  @Test func savingLeavesNoOtherFileBehind() async throws {
    for id in 1...20 { try await save([.sample(id)]) }
    #expect(try names() == ["squad.json"])
  }

  @Test(arguments: [
    "", "{\"version\":1,\"value\":[{\"id\":", "[]", "{\"version\":99,\"value\":[]}",
  ])
  func aDamagedFileIsPutAsideAndSurvived(content: String) async throws {
    try await save([.sample(1)])
    try Data(content.utf8).write(to: file)
    #expect(await load() == .failure(.damaged))
    #expect(try names() == ["squad.json.damaged"])
    let aside = try Data(contentsOf: file.appendingPathExtension("damaged"))
    #expect(aside == Data(content.utf8))
    #expect(await load() == .success(nil))
    try await save([.sample(2)])
    #expect(await load() == .success([.sample(2)]))
  }

  @Test func aFileCutAtAnyByteIsNeverTakenForAWhole() async throws {
    try await save([.sample(1), .sample(2)])
    let whole = try Data(contentsOf: file)
    for length in 0..<whole.count {
      try whole.prefix(length).write(to: file)
      #expect(await load() == .failure(.damaged))
    }
  }

  @Test func aReaderSeesOneStateOrTheOtherWhileItIsWritten() async throws {
    let states = [1, 40].map { count in (1...count).map(Superhero.sample) }
    try await save(states[0])
    let file = file
    let reader = Task.detached {
      var lengths: Set<Int> = []
      while !Task.isCancelled {
        lengths.insert((try? Data(contentsOf: file).count) ?? -1)
      }
      return lengths
    }
    var whole: Set<Int> = []
    for turn in 0..<40 {
      try await save(states[turn % 2])
      if turn < 2 { whole.insert(try Data(contentsOf: file).count) }
    }
    reader.cancel()
    #expect(await reader.value.subtracting(whole) == [])
  }

  @Test func whereNoFileCanBeItSaysSo() async throws {
    // A file stands where the directory would have to be.
    let blocked = directory.url.appendingPathComponent("blocked")
    try Data().write(to: blocked)
    let persister = Persister(directory: blocked.appendingPathComponent("squad"))
    let outcome: Result<Void, PersisterError> = await answer {
      persister.save(1, named: "number", answer: $0)
    }
    #expect(throws: PersisterError.unwritable) { try outcome.get() }
    // A directory stands where the file would have to be.
    let occupied = directory.url.appendingPathComponent("squad.json")
    try FileManager.default.createDirectory(at: occupied, withIntermediateDirectories: true)
    let reading: Result<Int?, PersisterError> = await answer {
      Persister(directory: directory.url).load(Int.self, named: "squad", answer: $0)
    }
    #expect(throws: PersisterError.unreadable) { try reading.get() }
  }

  @Test func changesFromManyThreadsAllCount() async {
    let persister = persister
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<50 {
        group.addTask {
          let _: Result<Int, PersisterError> = await answer {
            persister.update(named: "count", default: 0, answer: $0) { $0 += 1 }
          }
        }
      }
    }
    let count: Result<Int?, PersisterError> = await answer {
      persister.load(Int.self, named: "count", answer: $0)
    }
    #expect(count == .success(50))
  }
}
