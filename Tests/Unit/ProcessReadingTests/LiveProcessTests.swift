import CrashAnalysis
import Foundation
import IncidentModel
import ProcessTesting
import Testing

@testable import ProcessReading

@Suite("A running process is read from outside", .notUnderQemu("qemu has no ptrace"))
struct LiveProcessTests {
  private func subject(_ arguments: String...) throws -> Program {
    let program = try Program("subject", arguments)
    try #require(program.wait(for: "ready"))
    return program
  }

  private func end(_ program: Program) {
    program.signal(SIGKILL)
    _ = program.end()
  }

  private func isAlive(_ program: Program) -> Bool {
    program.letGoOn()
    return program.wait(for: "alive")
  }

  /// The symbols of the frames of each thread, as the program's own symbol table has them.
  private func picture(of program: Program, stop: UInt64?) throws -> ProcessPicture {
    let process = try LiveProcess(Int(program.id), options: .init(stop: stop))
    return try process.capture { _, _ in }.picture()
  }

  @Test("Threads have names, states, registers and whole stacks; the process goes on")
  func stopped() throws {
    let program = try subject("wait")
    defer { end(program) }
    let process = try LiveProcess(Int(program.id))
    var registers = 0
    let capture = try process.capture { _, threads in
      registers = threads.count { $0.registers != nil && $0.registers!.threadPointer != 0 }
    }
    let picture = capture.picture()
    let waiter = try #require(picture.threads.first { $0.name == "waiter" })
    #expect(waiter.stack.end == .complete)
    #expect(waiter.stack.frames.count > 6)
    #expect(picture.states[waiter.kernelID] == "sleeping")
    #expect(registers == picture.threads.count)
    #expect(picture.threads.allSatisfy { $0.source == .rules })
    guard case .stopped(let time) = picture.stop else {
      Issue.record("\(picture.stop)")
      return
    }
    #expect(time > 0 && time <= 200_000_000, "\(time) ns")
    #expect(isAlive(program))
  }

  @Test("Without a stop, a waiting thread has the frames that it has with one")
  func running() throws {
    let program = try subject("wait")
    defer { end(program) }
    let running = try picture(of: program, stop: nil)
    let stopped = try picture(of: program, stop: 100_000_000)
    #expect(running.stop == .running && !running.notes.isEmpty)
    let frames = { (picture: ProcessPicture) in
      Set(picture.threads.first { $0.name == "waiter" }?.stack.frames.map(\.recorded) ?? [])
    }
    #expect(frames(running).count > 5)
    #expect(frames(running).isSubset(of: frames(stopped)))
  }

  @Test("A stop ends when its time is over, whatever the reader does")
  func budget() throws {
    let program = try subject("wait")
    defer { end(program) }
    let process = try LiveProcess(Int(program.id), options: .init(stop: 30_000_000))
    var runs = false
    let capture = try process.capture { _, _ in runs = isAlive(program) }
    #expect(runs)
    guard case .partly(let time) = capture.stop else {
      Issue.record("\(capture.stop)")
      return
    }
    #expect(time >= 20_000_000)
  }

  @Test("The budget ends the stop of a process with many threads")
  func manyThreads() throws {
    let program = try subject("threads", "3000")
    defer { end(program) }
    let process = try LiveProcess(Int(program.id))
    let capture = try process.capture { _, _ in
      while ProcessStatus(of: Int(program.id))?.state == "t" {}
    }
    guard case .partly = capture.stop else {
      Issue.record("\(capture.stop)")
      return
    }
    #expect(capture.threads.count > 3000)
    #expect(isAlive(program))
  }

  @Test("A reader that is killed while the process stands still leaves it running")
  func killedReader() throws {
    let program = try subject("wait")
    defer { end(program) }
    let holder = try Program("subject", ["hold", "\(program.id)"])
    let line = try #require(holder.line())
    #expect(line.hasPrefix("holds "))
    #expect(ProcessStatus(of: Int(program.id))?.state == "t")
    holder.signal(SIGKILL)
    #expect(holder.end().signal == SIGKILL)
    #expect(isAlive(program))
    #expect(ProcessStatus(of: Int(program.id))?.tracer == 0)
  }

  @Test("No signal is lost, however often it is read")
  func signals() throws {
    let program = try subject("count")
    defer { end(program) }
    let (sent, id) = (2000, program.id)
    let sender = Thread {
      for _ in 0..<sent {
        // The kernel queues a bounded number of them.
        while kill(id, __libc_current_sigrtmin()) != 0 && errno == EAGAIN { poll(nil, 0, 1) }
      }
    }
    sender.start()
    let process = try LiveProcess(Int(id))
    for _ in 0..<(isWholeRun ? 1000 : 100) { _ = try process.capture { _, _ in } }
    #expect(
      comesToHold {
        program.letGoOn()
        return program.line() == "\(sent)"
      })
  }

  @Test("A process that was stopped before stays stopped")
  func stoppedBefore() throws {
    let program = try subject("wait")
    defer { end(program) }
    program.signal(SIGSTOP)
    _ = program.waitForChange()
    #expect(try picture(of: program, stop: 100_000_000).threads.count >= 2)
    #expect(comesToHold { ProcessStatus(of: Int(program.id))?.state == "T" })
    program.signal(SIGCONT)
    #expect(isAlive(program))
  }

  @Test("Memory is read up to the first byte that is not there, and modules tell their build ids")
  func memory() throws {
    let program = try subject("wait")
    defer { end(program) }
    let memory = try ProcessMemory(process: Int(program.id))
    let stack = try #require(memory.regions.first { $0.path == "[stack]" })
    let size = 64
    let across = memory.bytes(at: stack.range.upperBound - 32, count: size)
    #expect(across == nil)
    #expect(memory.bytes(at: stack.range.upperBound - 32, count: 32) != nil)
    #expect(memory.load(UInt64.self, at: 0) == nil)
    #expect(memory.load(UInt64.self, at: .max - 3) == nil)
    #expect(memory.region(at: stack.range.lowerBound) == stack)
    let own = try #require(memory.modules.first { $0.name == "subject" })
    #expect(!own.identity.isEmpty)
    #expect(memory.modules.contains { $0.name.hasPrefix("libc.so") && $0.buildID.count == 20 })
    #expect(memory.modules.allSatisfy { !$0.text.isEmpty })
  }
}
