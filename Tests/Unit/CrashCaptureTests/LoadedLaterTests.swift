import LogReading
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
    try withLibrary { library, directory in
      let log = "\(directory)/later.log"
      let ended = try run("later", with: library, log, in: directory)
      #expect(ended.signal == SIGSEGV, "exit \(ended.status) \(ended.errors)")
      let crash = try #require(try LogReader(path: log).read().crash)
      #expect(crash.signal == Int(SIGSEGV) && crash.stage == .recorded)
      // qemu has a thread of its own in each process.
      #expect(crash.otherThreads.count == (isUnderQemu ? 2 : 1))
    }
  }

  @Test("can be closed while threads that recorded through it live on")
  func survivesBeingClosed() throws {
    try withLibrary { library, directory in
      let log = "\(directory)/unloaded.log"
      let ended = try run("unloaded", with: library, log, in: directory)
      #expect(ended.signal == 0 && ended.status == 0, "\(ended.signal) \(ended.errors)")
      #expect(try LogReader(path: log).read().crumbs.map(\.message) == ["crumb"])
    }
  }

  @Test("may be opened by two threads at once, one of them in the constructor of a library")
  func opensInAConstructor() throws {
    try withLibrary { library, directory in
      let log = "\(directory)/begun.log"
      try makeProgram("\(log).so", from: "constructor", ["-DIS_LIBRARY", "-shared", "-fPIC"])
      let ended = try run("constructor", with: library, log, in: directory)
      #expect(ended.signal == 0 && ended.status == 0, "\(ended.signal) \(ended.errors)")
    }
  }

  @Test(
    "leaves a child that is forked while logs are opened no lock of theirs, and none of ours",
    .notUnderQemu("there a child keeps what MADV_DONTFORK should keep from it"))
  func forksWhileLogsAreOpened() throws {
    try withLibrary { library, directory in
      let ended = try run("forks", with: library, "\(directory)/forks.log", in: directory)
      #expect(ended.signal == 0 && ended.status == 0, "\(ended.signal) \(ended.errors)")
      #expect(ended.output == "children lost 0, logs refused 0\n")
    }
  }

  @Test("lets no two threads of a forked child record through the same memory")
  func sharesNothingInAForkedChild() throws {
    try withLibrary { library, directory in
      let ended = try run("forked", with: library, "\(directory)/forked.log", in: directory)
      #expect(ended.signal == 0 && ended.status == 0, "\(ended.signal) \(ended.errors)")
      #expect(ended.output == "slots shared 0\n")
    }
  }

  @Test(
    "and another copy of us keep no signal from the process that would end it",
    arguments: ["none", "first", "second"], [SIGTERM, SIGHUP])
  func endsWithTwoCopies(endsFirst: String, signal: Int32) throws {
    #expect(try runCopies(endsFirst, signal).signal == signal)
  }

  @Test("and another copy of us leave the decision to a handler of the program's between them")
  func leavesTheDecisionToTheProgram() throws {
    let ended = try runCopies("host", SIGTERM)
    #expect(ended.output == "lives, handled 1\n", "\(ended.signal) \(ended.errors)")
  }

  private func runCopies(_ way: String, _ signal: Int32) throws -> ChildProcess {
    var ended: ChildProcess?
    try withLibrary { library, directory in
      try FileManager.default.copyItem(atPath: library, toPath: "\(library).2")
      try makeProgram("\(directory)/copies", from: "copies")
      ended = try ChildProcess.run(
        path: "\(directory)/copies", [library, "\(directory)/copies.log", "\(signal)", way], [:])
    }
    return try #require(ended)
  }

  @Test(
    "lets a program under the thread sanitizer recover by a long jump, wherever its stacks are",
    .notUnderQemu("the sanitizer's shadow memory does not fit there"))
  func letsASanitizedProgramRecover() throws {
    try withLibrary { library, directory in
      let program = "\(directory)/sanitized"
      try makeProgram(
        program, from: "sanitized",
        ["-rdynamic", "-fsanitize=thread"] + (try runtime()) + ["-ldispatch", "-lBlocksRuntime"])
      let ended = try ChildProcess.run(
        path: program, [library, "\(directory)/sanitized.log"], ["SWIFT_BACKTRACE": "enable=no"])
      #expect(ended.output == "recovered\n", "\(ended.signal) \(ended.errors)")
    }
  }

  private func withLibrary(_ body: (_ library: String, _ directory: String) throws -> Void) throws {
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("later-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let library = directory.appendingPathComponent("plugin.so").path
    try makeLibrary(library)
    try body(library, directory.path)
  }

  /// Makes the program of this name, and runs it.
  private func run(
    _ name: String, with library: String, _ log: String, in directory: String
  ) throws -> ChildProcess {
    try makeProgram("\(directory)/\(name)", from: name)
    return try ChildProcess.run(path: "\(directory)/\(name)", [library, log], [:])
  }

  /// All objects of the recording half's C, as a package's product would have them in it.
  private func makeLibrary(_ library: String) throws {
    let targets = ["Recorder/CLogFormat", "Recorder/CRecorder", "Crash/CCrashHandler"]
    // These need Swift's own library.
    let leftOut: Set = [
      "runtime/caller.c", "runtime/demangle.c", "runtime/isolation_hook.c", "runtime/loader.c",
      "runtime/types.c",
    ]
    // Listed by the sources: a build folder keeps the objects of files that were removed.
    let objects = targets.flatMap { target -> [String] in
      let sources = FileManager.default.enumerator(
        atPath: "\(Repository.root.path)/Sources/\(target)")
      let name = target.split(separator: "/").last ?? ""
      return (sources ?? .init()).compactMap { $0 as? String }
        .filter { ($0.hasSuffix(".c") || $0.hasSuffix(".cpp")) && !leftOut.contains($0) }
        .map { "\(ChildProcess.directory)/\(name).build/\($0).o" }
    }
    try run(
      ["-shared", "-o", library] + objects + (try runtime())
        + ["-ldispatch", "-lc", "-lgcc_s", "-lstdc++", "-Wl,-z,defs"])
  }

  private func makeProgram(
    _ program: String, from name: String, _ options: [String] = ["-rdynamic"]
  ) throws {
    let root = Repository.root.path
    try run(
      [
        "-I\(root)/Sources/Recorder/CLogFormat/include",
        "-I\(root)/Sources/Recorder/CRecorder/include",
        "-I\(root)/Sources/Crash/CCrashHandler/include",
        "-o", program, "\(root)/Tests/Programs/Victims/Libraries/\(name).c",
      ] + options)
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
