import Foundation
import ProcessTesting
import Testing

@Suite("A crash is shown after the crumbs that led to it", .enabled(if: !isSanitized))
struct CrashTests {
  /// The log of a process that died in a way, in a place.
  private func log(of way: String, at place: String) throws -> String {
    let path = TestFiles.path("breadcrumbs.log")
    let victim = URL(fileURLWithPath: Tool.path).deletingLastPathComponent().path + "/victim"
    _ = try Tool.run(victim, [way, place, path], ["SWIFT_BACKTRACE": "enable=no"])
    return path
  }

  @Test("The signal, the thread, what was said, and the stack")
  func fatalError() throws {
    let lines = try Tool.run("show", log(of: "fatal-error", at: "worker")).output
      .split(separator: "\n").map(String.init)
    #expect(lines[2].hasPrefix("crashed: \(Trap.name), on thread "), "\(lines[2])")
    let crumb = try #require(lines.firstIndex { $0.contains("victim: about to die") })
    let crash = try #require(
      lines.firstIndex { $0.contains("  crashed: \(Trap.name), on thread ") })
    #expect(crash > crumb)
    #expect(lines[crash].hasSuffix(" (off, com.example.victim)"))
    #expect(lines[crash + 1].hasSuffix("Fatal error: the till does not add up"))
    #expect(lines[crash...].contains { $0.contains("dieByFatalError") && $0.contains(".swift:") })
    #expect(lines.last?.hasPrefix("crashed: \(Trap.name)") == true)
  }

  @Test("The address that could not be accessed, and the async callers of the task")
  func nullRead() throws {
    let output = try Tool.run("show", log(of: "null-read", at: "task")).output
    #expect(output.contains("crashed: SIGSEGV at address 0x0, on thread "))
    #expect(output.contains(#/ 0  die_null_read at .*faults\.c:\d+ in victim\n/#))
    let callers = try #require(output.range(of: "     awaited by\n"))
    #expect(output[callers.upperBound...].contains(#/ \d+  outerAsync\(_:\) at /#))
  }

  #if compiler(>=6.2)
    @Test("The name of the task, whoever holds its lock")
    func taskName() throws {
      let path = try log(of: "named-task-locked", at: "main")
      let output = try Tool.run("show", path).output
      #expect(output.contains(#/in task \d+ “refresh the till” \(medium\) on no actor\n/#))
      #expect(output.contains("      no task waits\n"))
      let json = try Tool.run("show", path, "--format", "json").output
      #expect(json.contains(#/"name": ?"refresh the till"/#))
    }
  #endif

  @Test("What the runtime said on standard error before, as a crumb with its stack")
  func lostContinuation() throws {
    let output = try Tool.run("show", log(of: "continuation-lost", at: "main")).output
    let words = "SWIFT TASK CONTINUATION MISUSE: loseContinuation() leaked its continuation"
    let said = try #require(output.range(of: words))
    let line = try #require(output[..<said.lowerBound].split(separator: "\n").last)
    #expect(line.contains("error") && line.contains("swift-runtime"), "\(line)")
    #expect(output[said.upperBound...].contains("loseAndDie"))
  }

  @Test("Of two accesses to one variable at once, where the first began")
  func exclusivity() throws {
    let path = try log(of: "exclusivity", at: "main")
    let output = try Tool.run("show", path).output
    let first = try #require(output.range(of: "the first access, a modification, began here:\n"))
    #expect(output[first.upperBound...].contains(#/^ +0  dieByExclusivity.* at .*swiftWays/#))
    let report = try Tool.run(path).output
    #expect(report.contains("began here: dieByExclusivity()"), "\(report)")
  }

  @Test(
    "That time ran out, and how many threads gave their stacks until then",
    .notUnderQemu("qemu starts no child that ends without a signal"))
  func outOfTime() throws {
    let path = try log(of: "silent-thread", at: "main")
    let output = try Tool.run("show", path).output
    #expect(
      output.contains(
        "the crash handler reached its time limit: stacks of 9 of 10 threads were recorded\n"))
    let json = try Tool.run("show", path, "--format", "json").output
    let document = try JSONDecoder().decode(ShownDocument.self, from: Data(json.utf8))
    #expect(document.crash?.isOutOfTime == true && document.crash?.walkedCount == 9)
  }

  @Test("Registers and other threads are shown when all is asked for")
  func verbose() throws {
    let path = try log(of: "null-read", at: "worker")
    let brief = try Tool.run("show", path).output
    let verbose = try Tool.run("show", path, "--verbose").output
    let count = try #require(brief.firstMatch(of: #/(\d+) other threads? \(--verbose/#)?.1)
    #expect(verbose.matches(of: #/\n      thread \d+ /#).count == Int(count))
    #if arch(x86_64)
      #expect(verbose.contains(" rip 0x") && !brief.contains(" rip 0x"))
    #endif
  }

  @Test("A crash that a handler fixed did not end the process")
  func recovered() throws {
    let output = try Tool.run("show", log(of: "recovered", at: "main")).output
    #expect(output.contains("exited normally"))
    #expect(!output.contains("crashed: "))
  }

  @Test("JSON has the crash, and null where there was none")
  func json() throws {
    let path = try log(of: "fatal-error", at: "worker")
    let output = try Tool.run("show", path, "--format", "json").output
    let document = try JSONDecoder().decode(ShownDocument.self, from: Data(output.utf8))
    let crash = try #require(document.crash)
    #expect(crash.signal == Trap.name && crash.stage != "unfinished")
    #expect(crash.thread?.queue?.label == "com.example.victim")
    #expect(crash.thread?.onMain == false)
    #expect(crash.texts.contains { $0.source == "swift" && $0.text.contains("the till") })
    let functions = crash.thread?.stack.frames.flatMap(\.functions) ?? []
    #expect(functions.contains { $0.name.hasPrefix("dieByFatalError") })
    #expect(crash.threadCount == crash.otherThreads.count + 1)
    let calm = try Log.recorded { $0.record("here") }
    let other = try Tool.run("show", calm, "--format", "json").output
    #expect(try JSONDecoder().decode(ShownDocument.self, from: Data(other.utf8)).crash == nil)
  }
}
