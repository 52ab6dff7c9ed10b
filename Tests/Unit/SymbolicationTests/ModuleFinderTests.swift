import Foundation
import IncidentModel
import ProcessTesting
import Testing

@testable import Symbolication

/// Symbols are found where people and packagers put them when a module was stripped.
@Suite struct ModuleFinderTests {
  /// A stripped program in a directory of its own, and the file with what was taken from it.
  private struct Stripped {
    let home: String
    let debug: String
    let module: Module
    let address: FrameAddress

    init(link: String? = nil) throws {
      let whole = try Workshop.small.get()
      let file = try #require(CodeFile(whole))
      home = TestFiles.directory()
      let path = "\(home)/small"
      debug = "\(home)/\(link ?? "small.dbg")"
      try Workshop.run("objcopy", ["--only-keep-debug", whole, debug])
      try Workshop.run("objcopy", ["--strip-all", whole, path])
      if link != nil { try Workshop.run("objcopy", ["--add-gnu-debuglink=\(debug)", path]) }
      module = Module(
        path: path, buildID: file.module.buildID, loadBias: 0, text: file.module.text)
      let symbols = try Workshop.run("nm", [whole])
      let leaf = try #require(symbols.split(separator: "\n").first { $0.hasSuffix(" T leaf") })
      address = .instruction(try #require(UInt64(leaf.split(separator: " ")[0], radix: 16)))
    }

    func move(to path: String) throws {
      try FileManager.default.createDirectory(
        atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try FileManager.default.moveItem(atPath: debug, toPath: path)
    }

    func expectLine(from path: String, directories: [String] = []) {
      var symbolicator = Symbolicator(symbolDirectories: directories, cacheDirectory: nil)
      #expect(symbolicator.moduleStatus(of: module) == .debugInfo(path: path))
      let frames = symbolicator.frames(at: address, in: module)
      #expect(frames.last?.function == "leaf")
      #expect(frames.last?.line == 7)
    }
  }

  @Test func aDebugLinkLeadsBesideTheModule() throws {
    let stripped = try Stripped(link: "small.debuginfo")
    stripped.expectLine(from: stripped.debug)
    try stripped.move(to: "\(stripped.home)/.debug/small.debuginfo")
    stripped.expectLine(from: "\(stripped.home)/.debug/small.debuginfo")
  }

  @Test func directoriesAreSearchedByBuildIDAndByName() throws {
    let stripped = try Stripped()
    let id = hex(stripped.module.buildID)
    let directory = TestFiles.directory()
    let byID = "\(directory)/.build-id/\(id.prefix(2))/\(id.dropFirst(2)).debug"
    try stripped.move(to: byID)
    stripped.expectLine(from: byID, directories: ["/nonexistent", directory])
    let byName = "\(directory)/small.debug"
    try FileManager.default.moveItem(atPath: byID, toPath: byName)
    stripped.expectLine(from: byName, directories: [directory])
    let whole = "\(directory)/small"
    try FileManager.default.moveItem(atPath: byName, toPath: whole)
    stripped.expectLine(from: whole, directories: [directory])
  }

  @Test func theModuleItselfMayBeGone() throws {
    let stripped = try Stripped()
    let directory = TestFiles.directory()
    try stripped.move(to: "\(directory)/small.debug")
    try FileManager.default.removeItem(atPath: stripped.module.path)
    stripped.expectLine(from: "\(directory)/small.debug", directories: [directory])
  }

  @Test func aDebugFileOfAnotherBuildIsNotUsed() throws {
    let stripped = try Stripped(link: "small.debuginfo")
    try FileManager.default.removeItem(atPath: stripped.debug)
    try Workshop.run(
      "objcopy", ["--only-keep-debug", Workshop.swiftRelease.get(), stripped.debug])
    var symbolicator = Symbolicator(cacheDirectory: nil)
    #expect(
      symbolicator.moduleStatus(of: stripped.module)
        == .symbolsOnly(path: stripped.module.path))
  }
}
