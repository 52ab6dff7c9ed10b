import Foundation
import SampleSupport
import Testing

@Suite struct JSONFileTests {
  private let file = JSONFile<[Int]>(
    FileManager.default.temporaryDirectory.appending(path: "json-\(UUID().uuidString)"))

  private func withFile(_ body: () throws -> Void) rethrows {
    defer { try? FileManager.default.removeItem(at: file.url) }
    try body()
  }

  @Test func whatWasWrittenLastIsRead() throws {
    try withFile {
      #expect(try file.read() == nil)
      try file.write([1])
      try file.write([2, 3])
      #expect(try file.read() == [2, 3])
    }
  }

  @Test func whatIsDamagedIsAnError() throws {
    try withFile {
      try Data("[1".utf8).write(to: file.url)
      #expect(throws: DecodingError.self) { try file.read() }
    }
  }

  @Test func whereNothingCanBeWrittenIsAnError() {
    #expect(throws: (any Error).self) {
      try JSONFile<Int>(URL(fileURLWithPath: "/nowhere/file")).write(1)
    }
  }
}
