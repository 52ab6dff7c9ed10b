import Foundation
import IncidentModel
import Testing

@testable import Symbolication

/// What the cache keeps changes how fast an answer comes, never the answer.
@Suite struct CacheTests {
  private let file: CodeFile
  private let directory: String
  private let expected: [[SourceFrame]]

  init() throws {
    file = try #require(CodeFile(Workshop.small.get()))
    directory = try Workshop.makeDirectory() + "/a/b"
    expected = Self.frames(file, cache: nil)
    #expect(expected.contains { $0.count > 1 })
  }

  private static func frames(_ file: CodeFile, cache: String?) -> [[SourceFrame]] {
    var symbolicator = Symbolicator(cacheDirectory: cache)
    return symbolicator.frames(
      at: file.addresses(2000).map { .instruction($0) }, in: file.module)
  }

  private var kept: String { "\(directory)/\(hex(file.module.buildID)).symbols" }

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

  @Test func howNamesReadIsLearnedOnce() throws {
    let many = try #require(CodeFile(Workshop.cxxO2.get()))
    let path = "\(directory)/\(hex(many.module.buildID)).symbols"
    let plain = Self.frames(many, cache: nil)
    #expect(Set(plain.joined().map(\.function)).count > 200)
    #expect(Self.frames(many, cache: directory) == plain)
    let learned = try inode(path)
    let file = try #require(try? RegularFile(path: path))
    let storage = try #require(IndexStorage(mapping: file))
    let index = try #require(SymbolIndex(storage))
    #expect(index.header.checksum == checksum(of: storage.bytes))
    #expect(index.readableStarts.elements.count { $0 != .max } > 200)
    #expect(Self.frames(many, cache: directory) == plain)
    #expect(try inode(path) == learned, "nothing new was learned, so nothing is written")
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
    let home = try Workshop.makeDirectory()
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
}
