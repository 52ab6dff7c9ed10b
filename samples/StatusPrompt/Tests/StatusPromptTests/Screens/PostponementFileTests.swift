import Foundation
import StatusModel
import Testing

@testable import StatusPrompt

@Suite struct PostponementFileTests {
  private let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("postponement-\(UUID().uuidString).json")

  @Test func whatWasKeptIsThereForTheNextLaunchUntilItIsForgotten() throws {
    defer { try? FileManager.default.removeItem(at: url) }
    let postponement = Postponement(day: try day("2020-06-23"), launch: UUID())
    PostponementFile(url).postponement = postponement
    #expect(PostponementFile(url).postponement == postponement)
    PostponementFile(url).postponement = nil
    #expect(PostponementFile(url).postponement == nil)
    #expect(!FileManager.default.fileExists(atPath: url.path))
  }

  @Test func aDamagedFileIsAsGoodAsNone() throws {
    defer { try? FileManager.default.removeItem(at: url) }
    try Data("{".utf8).write(to: url)
    #expect(PostponementFile(url).postponement == nil)
  }

  @Test func aFileThatCannotBeWrittenIsNoReasonToStop() throws {
    let file = PostponementFile(url.appendingPathComponent("nowhere"))
    file.postponement = Postponement(day: try day("2020-06-23"), launch: UUID())
    #expect(file.postponement == nil)
  }
}
