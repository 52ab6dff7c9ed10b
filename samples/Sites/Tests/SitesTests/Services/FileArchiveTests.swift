import Foundation
import Testing

@testable import Sites

@Suite struct FileArchiveTests {
  private let folder = ScratchFolder()

  @Test func whatIsKeptIsFoundAgainByAnotherRun() {
    FileArchive(folder: folder.url).save(Data("icon".utf8), as: "http://a.example/icon")
    let again = FileArchive(folder: folder.url)
    #expect(again.bytes(of: "http://a.example/icon") == Data("icon".utf8))
    #expect(again.bytes(of: "http://a.example/other") == nil)
  }

  @Test func theNewestCounts() {
    let archive = FileArchive(folder: folder.url)
    archive.save(Data("old and long".utf8), as: "a")
    archive.save(Data("new".utf8), as: "a")
    #expect(archive.bytes(of: "a") == Data("new".utf8))
    #expect(folder.files.count == 1)
  }

  @Test func eachByteThatIsDamagedIsNoticedAndTheFileIsThrownAway() throws {
    let archive = FileArchive(folder: folder.url)
    archive.save(Data([0, 1, 2, 255]), as: "name")
    let file = try #require(folder.files.first)
    let whole = try Data(contentsOf: file)
    for index in whole.indices {
      var damaged = whole
      damaged[index] ^= 0x40
      try damaged.write(to: file)
      #expect(archive.bytes(of: "name") == nil, "byte \(index)")
      #expect(folder.files.isEmpty)
    }
  }

  @Test func aFileThatWasCutShortIsNoticed() throws {
    let archive = FileArchive(folder: folder.url)
    archive.save(Data("some bytes".utf8), as: "name")
    let file = try #require(folder.files.first)
    let whole = try Data(contentsOf: file)
    for length in whole.indices {
      try whole.prefix(length).write(to: file)
      #expect(archive.bytes(of: "name") == nil, "\(length) bytes")
    }
    archive.save(Data("again".utf8), as: "name")
    #expect(archive.bytes(of: "name") == Data("again".utf8))
  }

  @Test func aFileOfAnotherNameIsNotTakenForThisOne() throws {
    let archive = FileArchive(folder: folder.url)
    archive.save(Data("one".utf8), as: "one")
    let file = try #require(folder.files.first)
    archive.save(Data("two".utf8), as: "two")
    let other = try #require(folder.files.first { $0 != file })
    try FileManager.default.removeItem(at: file)
    try FileManager.default.moveItem(at: other, to: file)
    #expect(archive.bytes(of: "one") == nil)
  }

  @Test func whatWasNotAskedForLongestMakesRoom() throws {
    let archive = FileArchive(folder: folder.url, limit: 400)
    for name in ["a", "b", "c"] {
      archive.save(Data(count: 80), as: name)
      try age(by: 60)
    }
    #expect(archive.bytes(of: "a") != nil)
    archive.save(Data(count: 80), as: "d")
    #expect(archive.bytes(of: "a") != nil)
    #expect(archive.bytes(of: "b") == nil)
    #expect(archive.bytes(of: "d") != nil)
    let total = try folder.files.reduce(0) { try $0 + Data(contentsOf: $1).count }
    #expect(total <= 400)
  }

  @Test func whatIsTooLargeIsNotKept() {
    let archive = FileArchive(folder: folder.url, limit: 100)
    archive.save(Data(count: 200), as: "large")
    #expect(archive.bytes(of: "large") == nil)
    #expect(folder.files.isEmpty)
  }

  @Test func aFolderThatCannotBeWrittenIsNoError() {
    let archive = FileArchive(folder: URL(fileURLWithPath: "/proc/sites"))
    archive.save(Data("x".utf8), as: "x")
    #expect(archive.bytes(of: "x") == nil)
  }

  @Test func writersAtOnceLeaveOneOfThemWhole() async {
    let archive = FileArchive(folder: folder.url)
    let contents = (0..<16).map { Data(repeating: $0, count: 5000) }
    await withTaskGroup(of: Void.self) { group in
      for content in contents { group.addTask { archive.save(content, as: "same") } }
    }
    #expect(contents.contains { $0 == archive.bytes(of: "same") })
    #expect(folder.files.count == 1)
  }

  /// Makes every file older, as if time had passed.
  private func age(by seconds: TimeInterval) throws {
    for file in folder.files {
      let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
      let date = try #require(attributes[.modificationDate] as? Date)
      try FileManager.default.setAttributes(
        [.modificationDate: date - seconds], ofItemAtPath: file.path)
    }
  }
}
