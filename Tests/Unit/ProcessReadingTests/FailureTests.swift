import Foundation
import ProcessTesting
import Testing

@testable import ProcessReading

@Suite("What cannot be read is told with what helps", .notUnderQemu("qemu has no ptrace"))
struct FailureTests {
  private func failure(_ id: Int) -> String {
    do throws(ProcessFailure) {
      _ = try LiveProcess(id)
      return "none"
    } catch {
      return error.description
    }
  }

  @Test("A process that is not there, a thread, a zombie")
  func notThere() throws {
    #expect(failure(Int(Int32.max)).contains("no such process"))
    let own = getpid()
    #expect(failure(Int(own)).contains("cannot attach to itself"))
    let program = try Program("subject", ["wait"])
    try #require(program.wait(for: "ready"))
    let thread = try #require(ThreadFiles(process: Int(program.id)).threads.last)
    #expect(failure(thread).contains("is a thread of process \(program.id) (subject)"))
    program.signal(SIGKILL)
    program.waitUntilItIsDead()
    #expect(failure(Int(program.id)).contains("a zombie until its parent \(own)"))
    _ = program.end()
    #expect(failure(Int(program.id)).contains("no such process"))
  }

  @Test(
    "A thread of the kernel has no memory",
    .enabled(if: ProcessStatus(of: 2)?.isKernelThread == true))
  func kernelThread() {
    #expect(failure(2).contains("a thread of the kernel"))
  }

  @Test("A process that another one traces names that one")
  func traced() throws {
    let program = try Program("subject", ["wait"])
    try #require(program.wait(for: "ready"))
    let holder = try Program("subject", ["hold", "\(program.id)"])
    try #require(holder.line()?.hasPrefix("holds ") == true)
    #expect {
      _ = try LiveProcess(Int(program.id)).capture { _, _ in }
    } throws: { error in
      "\(error)".contains("process \(holder.id) (subject) already traces this process")
        && "\(error)".contains("--no-stop")
    }
    // Reading without a stop needs no trace.
    let capture = try LiveProcess(Int(program.id), options: .init(stop: nil)).capture { _, _ in }
    #expect(capture.threads.count >= 2)
    for one in [holder, program] {
      one.signal(SIGKILL)
      _ = one.end()
    }
  }

  @Test("A refusal names its reason and the command that helps")
  func refused() throws {
    let program = try Program("subject", ["wait"])
    try #require(program.wait(for: "ready"))
    defer {
      program.signal(SIGKILL)
      _ = program.end()
    }
    let user = Int(getuid())
    let here = { (user: Int, capable: Bool, scope: Int, container: Bool) in
      ProcessFailure(
        Int(program.id), .opening, code: EACCES,
        surroundings: .init(
          user: user, mayTraceOthers: capable, ptraceScope: scope, isContainer: container)
      ).description
    }
    let again = "sudo crashscan attach \(program.id)"
    #expect(
      here(user + 1, false, 0, false).hasSuffix("the process belongs to user \(user): use \(again)")
    )
    #expect(here(user, false, 1, false).contains("kernel.yama.ptrace_scope is 1"))
    #expect(here(user, false, 1, false).contains("sysctl kernel.yama.ptrace_scope=0"))
    #expect(here(user, false, 2, false).hasSuffix(again))
    #expect(here(user, true, 3, false).contains("until the next reboot"))
    #expect(here(user, false, 0, false).contains("PR_SET_DUMPABLE"))
    #expect(here(user, false, 0, true).contains("--cap-add SYS_PTRACE"))
    #expect(here(user, true, 0, false).contains("a security module"))
    let gone = ProcessFailure(
      Int(Int32.max), .opening, code: ENOENT,
      surroundings: .init(user: user, mayTraceOthers: false, ptraceScope: 0, isContainer: true))
    #expect(gone.description.contains("shareProcessNamespace: true"))
  }
}
