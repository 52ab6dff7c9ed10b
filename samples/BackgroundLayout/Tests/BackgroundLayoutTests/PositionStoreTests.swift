import BackgroundLayout
import Foundation
import Testing

@Suite struct PositionStoreTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("positions-\(UUID().uuidString)")

  @Test func whatWasSavedIsThereForTheNextLaunch() async throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("positions.json")
    var positions = ReadingPositions()
    positions[3] = 12
    #expect(try await save(positions, to: file).get() == 1)
    #expect(PositionStore(file: file).load()[3] == 12)
  }

  @Test func aFileThatCannotBeWrittenIsAFailure() async {
    let file = folder.appendingPathComponent("nowhere/positions.json")
    await #expect(throws: (any Error).self) {
      try await save(ReadingPositions(), to: file).get()
    }
    #expect(PositionStore(file: file).load().count == 0)
  }

  private func save(
    _ positions: ReadingPositions, to file: URL
  ) async -> Result<Int, any Error> {
    let store = PositionStore(file: file)
    return await withCheckedContinuation { continuation in
      store.save(positions) { continuation.resume(returning: $0) }
    }
  }
}
