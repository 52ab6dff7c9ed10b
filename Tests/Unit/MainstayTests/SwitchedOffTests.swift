import Foundation
import ProcessTesting
import Testing

/// `MAINSTAY=off` in the environment of a service.
@Suite("Switched off") struct SwitchedOffTests {
  private let folder = TestFiles.directory()
  private var log: String { "\(folder)/breadcrumbs.log" }

  private static let strace = "/usr/bin/strace"
  private static let hasStrace = FileManager.default.isExecutableFile(atPath: strace)

  private func trial(_ words: String..., allowing list: String = "") throws -> ChildProcess {
    try ChildProcess.run(
      "mainstay-trial", [log] + words, environment: ["MAINSTAY": "off", "MAINSTAY_ALLOW": list])
  }

  @Test("A start records nothing, opens no file and says so only to a program that asks")
  func nothing() throws {
    let run = try trial("start", "violate")
    #expect(run.status == 0 && run.signal == 0)
    #expect(run.output.hasPrefix("nowhere\nproblem none\nrecording false\n"))
    #expect(run.errors.isEmpty, "\(run.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
  }

  @Test("A violation that the allow list covers is not counted either")
  func allowed() throws {
    let run = try trial("violate", allowing: "message:the trial's check")
    #expect(run.status == 0 && run.signal == 0)
    #expect(run.errors.isEmpty, "\(run.errors)")
  }

  @Test("A requirement passes silently in a `sync` from the main queue")
  func requirement() throws {
    let run = try trial("check-in-sync")
    #expect(run.output == "passed\n")
    #expect(run.errors.isEmpty, "\(run.errors)")
  }

  @Test("A crash ends the process as it would without the library")
  func crash() throws {
    let run = try trial("start", "crash")
    #expect(run.signal == SIGSEGV)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
  }

  /// The number of calls of each kind that changes the process or creates files and threads.
  private func calls(of command: [String], off: Bool) throws -> [String: Int] {
    let trace = "\(folder)/trace.txt"
    let kinds =
      "clone,clone3,rt_sigaction,sigaltstack,timer_create,timerfd_create,memfd_create,eventfd2,"
      + "epoll_create1,prctl,mlock,flock,ftruncate,rename,unlink,mkdir,setitimer,tgkill,pipe2,socket"
    _ = try ChildProcess.run(
      path: Self.strace, ["-f", "-qq", "-e", "trace=\(kinds)", "-o", trace] + command,
      off ? ["MAINSTAY": "off"] : [:])
    var counts: [String: Int] = [:]
    let text = try String(contentsOfFile: trace, encoding: .utf8)
    for call in text.matches(of: #/(?m)^\d+ +([a-z0-9_]+)\(/#) {
      counts["\(call.1)", default: 0] += 1
    }
    try FileManager.default.removeItem(atPath: trace)
    return counts
  }

  @Test(
    "Its system calls are those of a program that does not link the library",
    .enabled(if: hasStrace, "needs strace"), .enabled(if: !isSanitized))
  func systemCalls() throws {
    let source = "\(folder)/plain.swift"
    let plain = "\(folder)/plain"
    try """
    import Dispatch
    import Glibc
    print("nowhere")

    """.write(toFile: source, atomically: true, encoding: .utf8)
    let compiler = try ChildProcess.run(
      path: "/usr/bin/env", ["swiftc", "-Onone", source, "-o", plain], [:])
    try #require(compiler.status == 0, "\(compiler.errors)")
    let service = ["\(ChildProcess.directory)/mainstay-trial", log, "start", "begin-task"]
    let without = try calls(of: [plain], off: false)
    #expect(try calls(of: service, off: true) == without)
    // Were nothing counted, this would show nothing.
    let on = try calls(of: service, off: false)
    #expect((on["rt_sigaction"] ?? 0) > (without["rt_sigaction"] ?? 0))
    #expect((on["clone3"] ?? 0) + (on["clone"] ?? 0) > 0)
  }
}
