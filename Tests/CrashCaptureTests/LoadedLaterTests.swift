import BreadcrumbLog
import Foundation
import IncidentModel
import ProcessTesting
import Testing

/// Somebody's plugin has us linked into it. What a handler reads of a thread is there from the
/// thread's beginning, so it has to find room among what programs keep for libraries loaded later.
@Suite("A library that has us inside", .enabled(if: !isSanitized))
struct LoadedLaterTests {
  @Test(
    "can be loaded by a running program, and records the crash of a thread that was there before")
  func recordsAfterLoading() throws {
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("later-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let library = directory.appendingPathComponent("plugin.so").path
    let program = directory.appendingPathComponent("later").path
    let log = directory.appendingPathComponent("later.log").path
    try makeLibrary(library)
    try makeProgram(program)
    let ended = try ChildProcess.run(path: program, [library, log], [:])
    #expect(ended.signal == SIGSEGV, "exit \(ended.status) \(ended.errors)")
    let crash = try #require(try LogReader(path: log).read().crash)
    #expect(crash.signal == Int(SIGSEGV) && crash.stage == .recorded)
    #expect(crash.otherThreads.count == 1)
  }

  /// All objects of the recording half's C, as a package's product would have them in it.
  private func makeLibrary(_ library: String) throws {
    let targets = ["CBreadcrumbLog", "CCrashHandler", "CProcessWatch", "CQueueState", "CStackWalk"]
    let objects = try targets.flatMap { target in
      let directory = "\(ChildProcess.directory)/\(target).build"
      return try FileManager.default.contentsOfDirectory(atPath: directory)
        .filter { $0.hasSuffix(".o") }.map { "\(directory)/\($0)" }
    }
    try run(
      ["-shared", "-o", library] + objects + (try runtime())
        + ["-ldispatch", "-lc", "-lgcc_s", "-lunwind", "-lstdc++", "-Wl,-z,defs"])
  }

  private func makeProgram(_ program: String) throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().path
    try run([
      "-I\(root)/Sources/CBreadcrumbLog/include", "-I\(root)/Sources/CCrashHandler/include",
      "-o", program, "\(root)/Tests/Victims/Libraries/later.c",
    ])
  }

  /// Where this toolchain's libdispatch is: the one that the victims run with.
  private func runtime() throws -> [String] {
    let needed = try ChildProcess.run(
      path: "/usr/bin/env", ["ldd", ChildProcess.directory + "/victim"], [:])
    let library = try #require(needed.output.firstMatch(of: #/=> (\S+)/libdispatch\.so /#))
    return ["-L\(library.1)", "-Wl,-rpath,\(library.1)"]
  }

  private func run(_ arguments: [String]) throws {
    let made = try ChildProcess.run(path: "/usr/bin/env", ["clang"] + arguments, [:])
    try #require(made.status == 0 && made.signal == 0, "\(made.errors)")
  }
}
