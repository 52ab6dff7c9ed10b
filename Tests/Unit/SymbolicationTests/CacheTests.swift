import Foundation
import IncidentModel
import ProcessTesting
import Testing

@testable import Symbolication

/// The cache never changes the names of a build whose file exists; it keeps the names of builds whose files do not.
@Suite struct CacheTests {
  private let file: CodeFile
  private let directory: String
  private let expected: [[SourceFrame]]

  init() throws {
    file = try #require(CodeFile(Workshop.small.get()))
    directory = TestFiles.directory() + "/a/b"
    expected = Self.frames(file, cache: nil)
    #expect(expected.contains { $0.count > 1 })
  }

  private static func frames(_ file: CodeFile, cache: String?) -> [[SourceFrame]] {
    var symbolicator = Symbolicator(cacheDirectory: cache)
    return symbolicator.frames(
      at: file.addresses(2000).map { .instruction($0) }, in: file.module)
  }

  private var kept: String { "\(directory)/\(hex(file.module.buildID)).symbols" }

  /// A program with enough names to be worth keeping how they read.
  private struct ManyNames {
    let file: CodeFile
    let index: String
    let names: String

    init(directory: String) throws {
      file = try #require(CodeFile(Workshop.cxxO2.get()))
      let path = "\(directory)/\(hex(file.module.buildID))"
      index = "\(path).symbols"
      names = "\(path).names"
    }
  }

  private func inode(_ path: String) throws -> UInt64? {
    try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? UInt64
  }

  @Test func theSecondRunReadsWhatTheFirstKept() throws {
    #expect(Self.frames(file, cache: directory) == expected)
    let first = try inode(kept)
    #expect(Self.frames(file, cache: directory) == expected)
    #expect(try inode(kept) == first)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory).count == 1)
    try FileManager.default.removeItem(atPath: directory)
    #expect(Self.frames(file, cache: directory) == expected)
  }

  @Test(.long) func howNamesReadIsLearnedOnce() throws {
    let many = try ManyNames(directory: directory)
    let plain = Self.frames(many.file, cache: nil)
    #expect(Set(plain.joined().map(\.function)).count > 200)
    #expect(Self.frames(many.file, cache: directory) == plain)
    let learned = try (inode(many.index), inode(many.names))
    let index = try #require(SymbolIndex(storage(many.index)))
    let names = try #require(ReadableNames(storage(many.names), of: index))
    #expect(names.count > 200)
    #expect(Self.frames(many.file, cache: directory) == plain)
    #expect(try inode(many.index) == learned.0)
    #expect(try inode(many.names) == learned.1, "nothing new was learned, so nothing is written")
  }

  @Test(.long) func namesAskedForOneAtATimeAreKeptInTheEnd() throws {
    let many = try ManyNames(directory: directory)
    do {
      var symbolicator = Symbolicator(cacheDirectory: directory)
      for address in many.file.addresses(2000) {
        _ = symbolicator.frames(at: .instruction(address), in: many.file.module)
      }
      #expect(!FileManager.default.fileExists(atPath: many.names))
    }
    let index = try #require(SymbolIndex(storage(many.index)))
    #expect(try #require(ReadableNames(storage(many.names), of: index)).count > 200)
  }

  private func storage(_ path: String) throws -> IndexStorage {
    let file = try #require(try? RegularFile(path: path))
    return try #require(IndexStorage(mapping: file))
  }

  @Test(.long) func damagedNamesAreLearnedAnew() throws {
    let many = try ManyNames(directory: directory)
    let plain = Self.frames(many.file, cache: directory)
    let whole = try Data(contentsOf: URL(fileURLWithPath: many.names))
    for place in Array(0..<40) + Array(stride(from: 40, to: whole.count, by: whole.count / 20)) {
      var damaged = whole
      damaged[place] ^= 0x40
      try damaged.write(to: URL(fileURLWithPath: many.names))
      #expect(Self.frames(many.file, cache: directory) == plain, "byte \(place)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: many.names)) == whole, "byte \(place)")
    }
    try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: many.names))
    #expect(Self.frames(many.file, cache: directory) == plain)
  }

  @Test(.long) func namesOfAnotherIndexAreNotBelieved() throws {
    let many = try ManyNames(directory: directory)
    let plain = Self.frames(many.file, cache: directory)
    let index = try #require(SymbolIndex(storage(many.index)))
    let wrong = ReadableNames.block(of: index, known: nil, learned: [0: "wrong", 1: "wrong too"])
    _ = Self.frames(file, cache: directory)
    let other = try #require(SymbolIndex(storage(kept)))
    #expect(ReadableNames(wrong, of: index)?.count == 2)
    #expect(ReadableNames(wrong, of: other) == nil)
    #expect(Self.frames(many.file, cache: directory) == plain)
  }

  @Test func aDamagedFileIsMadeAnew() throws {
    #expect(Self.frames(file, cache: directory) == expected)
    let whole = try Data(contentsOf: URL(fileURLWithPath: kept))
    let places = Array(0..<88) + Array(stride(from: 88, to: whole.count, by: whole.count / 60))
    for place in places {
      var damaged = whole
      damaged[place] ^= 0x40
      try damaged.write(to: URL(fileURLWithPath: kept))
      #expect(Self.frames(file, cache: directory) == expected, "byte \(place)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: kept)) == whole, "byte \(place)")
    }
    for length in [0, 7, 16, 71, 100, whole.count - 1] {
      try whole.prefix(length).write(to: URL(fileURLWithPath: kept))
      #expect(Self.frames(file, cache: directory) == expected, "cut to \(length)")
    }
    try (whole + whole).write(to: URL(fileURLWithPath: kept))
    #expect(Self.frames(file, cache: directory) == expected)
  }

  @Test func whereNothingCanBeWrittenNothingIsKept() throws {
    #expect(Self.frames(file, cache: "/dev/null/cache") == expected)
    #expect(Self.frames(file, cache: "/proc/cache") == expected)
  }

  @Test func aFileThatIsNoneOfOursIsLeftAlone() throws {
    #expect(Self.frames(file, cache: directory) == expected)
    try FileManager.default.removeItem(atPath: kept)
    #expect(mkfifo(kept, 0o600) == 0)
    #expect(Self.frames(file, cache: directory) == expected)
  }

  @Test func whatWasMadeFromLessIsReplaced() throws {
    let home = TestFiles.directory()
    let whole = file.module.path
    var module = file.module
    module.path = "\(home)/small"
    try Workshop.run("objcopy", ["--strip-all", whole, module.path])
    var first = Symbolicator(symbolDirectories: [home], cacheDirectory: directory)
    #expect(first.moduleStatus(of: module) == .symbolsOnly(path: module.path))
    let debug = "\(home)/small.debug"
    try Workshop.run("objcopy", ["--only-keep-debug", whole, debug])
    var second = Symbolicator(symbolDirectories: [home], cacheDirectory: directory)
    #expect(second.moduleStatus(of: module) == .debugInfo(path: debug))
    let addresses = file.addresses(2000).map { FrameAddress.instruction($0) }
    #expect(second.frames(at: addresses, in: module) == expected)
  }

  @Test func theNamesOfABuildOutliveItsFile() throws {
    let home = TestFiles.directory()
    var module = file.module
    module.path = try Workshop.copy(file.module.path, to: "\(home)/small")
    let addresses = file.addresses(2000).map { FrameAddress.instruction($0) }
    var first = Symbolicator(cacheDirectory: directory)
    #expect(first.frames(at: addresses, in: module) == expected)
    try Workshop.run("objcopy", ["--strip-all", file.module.path, module.path])
    for _ in 0..<2 {
      var stripped = Symbolicator(cacheDirectory: directory)
      #expect(stripped.frames(at: addresses, in: module) == expected)
      #expect(stripped.moduleStatus(of: module) == .kept(because: "stripped"))
    }
    try Data("another build".utf8).write(to: URL(fileURLWithPath: module.path))
    var second = Symbolicator(cacheDirectory: directory)
    #expect(second.frames(at: addresses, in: module) == expected)
    #expect(
      second.moduleStatus(of: module)
        == .kept(because: "not readable: not an executable or shared library"))
    try FileManager.default.removeItem(atPath: module.path)
    var third = Symbolicator(cacheDirectory: directory)
    #expect(third.frames(at: addresses, in: module) == expected)
    #expect(third.moduleStatus(of: module) == .kept(because: "not found"))
    module.buildID[0] ^= 1
    #expect(third.frames(at: addresses, in: module).allSatisfy { $0.isEmpty })
    var none = Symbolicator(cacheDirectory: nil)
    #expect(none.moduleStatus(of: module) == .notFound)
  }

  @Test func whatWasNotUsedForLongIsRemoved() throws {
    #expect(Self.frames(file, cache: directory) == expected)
    let size = try Data(contentsOf: URL(fileURLWithPath: kept)).count
    let old = "\(directory)/00.symbols"
    let foreign = "\(directory)/notes.txt"
    for path in [old, foreign] {
      try Data(count: 100).write(to: URL(fileURLWithPath: path))
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: path)
    }
    var cache = IndexCache(directory: directory)
    cache.limit = size + 99
    cache.keep(try #require(SymbolIndex(storage(kept))))
    #expect(!FileManager.default.fileExists(atPath: old))
    #expect(FileManager.default.fileExists(atPath: kept))
    #expect(FileManager.default.fileExists(atPath: foreign))
  }
}
