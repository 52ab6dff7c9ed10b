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
      ["-shared", "-o", library] + objects + runtime
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

  /// Where this toolchain's libdispatch is: the one that these tests run with.
  private var runtime: [String] {
    let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
    let path = maps.split(separator: "\n").compactMap { line in
      line.split(separator: " ").last.flatMap { $0.hasSuffix("/libdispatch.so") ? $0 : nil }
    }.first
    guard let directory = path?.dropLast("/libdispatch.so".count) else { return [] }
    return ["-L\(directory)", "-Wl,-rpath,\(directory)"]
  }

  private func run(_ arguments: [String]) throws {
    let made = try ChildProcess.run(path: "/usr/bin/env", ["clang"] + arguments, [:])
    try #require(made.status == 0 && made.signal == 0, "\(made.errors)")
  }
}
