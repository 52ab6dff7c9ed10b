import Breadcrumbs
import Foundation
import Glibc
import ProcessTesting
import Synchronization
import Testing

@Suite("Stacks are shown by function, file and line")
struct FrameTests {
  @inline(never)
  private static func leave(_ recorder: BreadcrumbRecorder) -> Int {
    recorder.record("with a stack", stack: .always)
    return #line - 1
  }

  private func frames(_ output: String) -> [Substring] {
    output.split(separator: "\n").filter { $0.prefixMatch(of: #/      +\d+  /#) != nil }
  }

  @Test("The first frame is the one that left the crumb, with its line")
  func firstFrame() throws {
    var line = 0
    let path = try Log.recorded { line = Self.leave($0) }
    let frames = try frames(Tool.run("show", path).output)
    let first = try #require(frames.first)
    #expect(first.hasPrefix("        0  static FrameTests.leave(_:) at "), "\(first)")
    #expect(first.contains("Tests/Unit/CrashscanTests/FrameTests.swift:\(line) in "), "\(first)")
    #expect(frames.count > 3)
  }

  @Test("The recorder's own frames are shown when all is asked for")
  func ownFrames() throws {
    let path = try Log.recorded { recorder in
      // Its stack begins inside the recorder's own function for the error's level.
      _ = recorder.beginBackgroundTask("prices")
      recorder.record("an error", level: .error)
    }
    let document = try document(path)
    let own = document.crumbs.compactMap(\.stack).flatMap(\.frames).filter(\.isOwn)
    let output = try Tool.run("show", path).output
    let verbose = try Tool.run("show", path, "--verbose").output
    #expect(frames(verbose).count == frames(output).count + own.count)
    #expect(!output.contains("BreadcrumbRecorder."))
  }

  @Test("JSON has the same frames, innermost first")
  func json() throws {
    let line = Mutex(0)
    let path = try Log.recorded { recorder in
      Log.onThread(named: "frames") { line.withLock { $0 = Self.leave(recorder) } }
    }
    let stack = try #require(try document(path).crumbs.first?.stack)
    let first = try #require(stack.frames.first { !$0.isOwn }?.functions.first)
    #expect(first.name == "static FrameTests.leave(_:)")
    #expect(first.mangledName.hasPrefix("$s14CrashscanTests05FrameB0V5leave"))
    #expect(first.file?.hasSuffix("Tests/Unit/CrashscanTests/FrameTests.swift") == true)
    #expect(first.line == line.withLock(\.self))
    #expect(stack.end == "complete")
  }

  private func document(_ path: String) throws -> ShownDocument {
    let output = try Tool.run("show", path, "--format", "json").output
    return try JSONDecoder().decode(ShownDocument.self, from: Data(output.utf8))
  }
}

@Suite("Frames whose module is gone or another build say so")
struct MissingModuleTests {
  /// Builds a library that calls back, leaves a crumb through it, and gives its path and the log's.
  private func recordThroughLibrary() throws -> (library: String, log: String) {
    let directory = TestFiles.directory()
    let library = directory + "/libthrough.so"
    try build(
      """
      static inline __attribute__((always_inline)) void within(void (*next)(void *), void *with) {
        next(with);
        next(0);
      }
      void through(void (*next)(void *), void *with) { within(next, with); }
      """, library)
    let log = try Log.recorded { recorder in
      let handle = try #require(dlopen(library, RTLD_NOW))
      let symbol = try #require(dlsym(handle, "through"))
      typealias Next = @convention(c) (UnsafeMutableRawPointer?) -> Void
      typealias Through = @convention(c) (Next, UnsafeMutableRawPointer?) -> Void
      recorder.flush()
      unsafeBitCast(symbol, to: Through.self)(
        { pointer in
          guard let pointer else { return }
          let recorder = Unmanaged<BreadcrumbRecorder>.fromOpaque(pointer).takeUnretainedValue()
          recorder.record("through the library", stack: .always)
        }, Unmanaged.passUnretained(recorder).toOpaque())
    }
    return (library, log)
  }

  private func build(_ source: String, _ library: String) throws {
    let file = library + ".c"
    try source.write(toFile: file, atomically: true, encoding: .utf8)
    let compiler = try #require(Tool.find("clang"))
    let arguments = ["-g", "-shared", "-fPIC", "-Wl,--build-id", "-o", library, file]
    #expect(try Tool.run(compiler, arguments).status == 0)
  }

  @Test("Where all is in place functions are named, and those that were inlined are marked")
  func present() throws {
    let (library, log) = try recordThroughLibrary()
    let output = try Tool.run("show", log).output
    let frames = output.split(separator: "\n").map { $0.drop { $0 == " " || $0.isNumber } }
    let inner = try #require(frames.firstIndex(of: "within [inlined] at \(library).c:2"))
    #expect(frames[inner + 1] == "through at \(library).c:5 in libthrough.so")
  }

  @Test("A module that is gone gives its name and offset, and is said once")
  func gone() throws {
    let (library, log) = try recordThroughLibrary()
    try FileManager.default.removeItem(atPath: library)
    let output = try Tool.run("show", log).output
    #expect(output.contains(#/  libthrough\.so\+0x[0-9a-f]+\n/#))
    #expect(output.split(separator: "frames of \(library): no names: not found\n").count == 2)
  }

  @Test("A module that was built anew since is not taken for the one that ran")
  func rebuilt() throws {
    let (library, log) = try recordThroughLibrary()
    try FileManager.default.moveItem(atPath: library, toPath: library + ".kept")
    try build("int other(int n) { return n + 1; }", library)
    let output = try Tool.run("show", log).output
    #expect(output.contains(#/  libthrough\.so\+0x[0-9a-f]+\n/#))
    #expect(
      output.contains("frames of \(library): no names: another build: the build id of the file is ")
    )
  }

  @Test("The names of an earlier reading outlive a rebuild")
  func readBefore() throws {
    let (library, log) = try recordThroughLibrary()
    let before = try Tool.run("show", log).output
    try build("int other(int n) { return n + 1; }", library)
    #expect(try Tool.run("show", log).output == before)
    let report = try Tool.run(log).output
    #expect(!report.contains("libthrough.so have no symbols"), "\(report)")
  }

  @Test("--symbols says where else to look")
  func elsewhere() throws {
    let (library, log) = try recordThroughLibrary()
    let directory = TestFiles.directory()
    try FileManager.default.moveItem(atPath: library, toPath: directory + "/libthrough.so")
    #expect(try !Tool.run("show", log).output.contains("  through at "))
    #expect(try Tool.run("show", log, "--symbols", directory).output.contains("  through at "))
  }
}
