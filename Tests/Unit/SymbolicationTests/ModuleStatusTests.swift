import Foundation
import IncidentModel
import ProcessTesting
import Testing

@testable import Symbolication

/// A module is used only when it is a regular file of the very build that ran; else the status says why.
@Suite struct ModuleStatusTests {
  private func status(
    _ path: String, buildID: [UInt8] = [1, 2, 3], directories: [String] = []
  ) -> ModuleStatus {
    var symbolicator = Symbolicator(symbolDirectories: directories, cacheDirectory: nil)
    return symbolicator.moduleStatus(
      of: Module(path: path, buildID: buildID, loadBias: 0, text: 0..<4096))
  }

  @Test func whatIsMissingIsNotFound() {
    #expect(status("/nonexistent/libfoo.so") == .notFound)
    #expect(status("[vdso]") == .notFound)
    #expect(status("/" + String(repeating: "x", count: 5000)) == .notFound)
  }

  @Test(.timeLimit(.minutes(5))) func onlyRegularFilesAreOpened() throws {
    let pipe = TestFiles.directory() + "/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(status(pipe) == .notRegular)
    #expect(status("/dev/zero") == .notRegular)
    #expect(status("/usr") == .notRegular)
    let link = pipe + "-link"
    #expect(symlink(pipe, link) == 0)
    #expect(status(link) == .notRegular)
  }

  @Test func aPathIsNeverRelativeToTheReader() throws {
    let file = try #require(CodeFile(Workshop.small.get()))
    let depth = FileManager.default.currentDirectoryPath.split(separator: "/").count
    let relative = String(repeating: "../", count: depth) + file.module.path.dropFirst()
    #expect(FileManager.default.fileExists(atPath: relative))
    #expect(status(relative, buildID: file.module.buildID) == .notFound)
  }

  @Test func anotherBuildIsNotUsed() throws {
    let file = try #require(CodeFile(Workshop.small.get()))
    var module = file.module
    module.buildID[0] ^= 1
    #expect(
      status(module.path, buildID: module.buildID)
        == .buildIDMismatch(found: file.module.buildID))
    var symbolicator = Symbolicator(cacheDirectory: nil)
    let addresses = file.addresses(100).map { FrameAddress.instruction($0) }
    let ofAnother = symbolicator.frames(at: addresses, in: module)
    #expect(ofAnother.allSatisfy { $0.isEmpty })
    let ofThis = symbolicator.frames(at: addresses, in: file.module)
    #expect(ofThis.contains { !$0.isEmpty })
  }

  @Test func buildIDsAreNeededOnBothSides() throws {
    #expect(try status(Workshop.small.get(), buildID: []) == .noBuildID)
    let bare = TestFiles.directory() + "/bare"
    try Workshop.run(
      "objcopy", ["--remove-section=.note.gnu.build-id", Workshop.small.get(), bare])
    #expect(status(bare) == .noBuildID)
  }

  @Test func whatIsNoModuleIsUnreadable() throws {
    let text = TestFiles.directory() + "/text"
    for content in ["", "plain text", "\u{7f}ELF", "!<arch>\n"] {
      try content.write(toFile: text, atomically: true, encoding: .utf8)
      #expect(status(text) == .unreadable(reason: "not an executable or shared library"))
    }
  }

  @Test func statusesReadWell() {
    #expect(
      ModuleStatus.buildIDMismatch(found: [0x0a, 0xff]).description
        == "another build: the build id of the file is 0aff")
    #expect(ModuleStatus.notFound.description == "not found")
  }
}
