import Dispatch
import Foundation
import Testing
import XCTest

/// The trial that the tests of `crashscan test` ask of this bundle, in a process of its own.
private let trial = ProcessInfo.processInfo.environment["MAINSTAY_TRIAL"]

/// Tests that hang, crash and fail, each only if it is asked for.
@Suite(.enabled(if: trial != nil)) struct Trials {
  @Test func passes() {}

  @Test(arguments: [1, 2]) func takesArguments(_ number: Int) { #expect(number > 0) }

  @Test func deadlocks() {
    guard trial == "deadlock" else { return }
    let (one, other) = (NSLock(), NSLock())
    let hasOther = DispatchSemaphore(value: 0)
    let hasOne = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      other.lock()
      hasOther.signal()
      hasOne.wait()
      one.lock()
    }
    one.lock()
    hasOther.wait()
    hasOne.signal()
    other.lock()
  }

  @Test func losesItsContinuation() async {
    guard trial == "continuation" else { return }
    await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
  }

  @Test func crashes() async {
    guard trial == "crash" else { return }
    await Task.yield()
    let none: [Int] = []
    print(none[(none.count)])
  }

  /// Crashes in a function that the test awaits, so that the test is not on the thread's stack.
  @Test func crashesInAnAwaitedFunction() async {
    guard trial == "awaited-crash" else { return }
    await Self.crash()
  }

  private static func crash() async {
    await Task.yield()
    fatalError("as asked for")
  }

  /// Starts a task that crashes after the test has ended.
  @Test func crashesLater() {
    guard trial == "late-crash" else { return }
    Self.crashLater()
  }

  private static func crashLater() {
    Task.detached {
      try await Task.sleep(for: .milliseconds(500))
      fatalError("as asked for")
    }
  }

  @Test func waitsForASignal() {
    guard trial == "semaphore" else { return }
    DispatchSemaphore(value: 0).wait()
  }

  @Test func locksTwice() {
    guard trial == "own-lock" else { return }
    let lock = NSLock()
    lock.lock()
    lock.lock()
  }

  /// The thread that locked has ended.
  @Test func needsAnAbandonedLock() {
    guard trial == "abandoned-lock" else { return }
    let lock = NSLock()
    let isLocked = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      lock.lock()
      isLocked.signal()
    }
    isLocked.wait()
    lock.lock()
  }

  /// Sends one signal to two threads.
  @Test func missesAWakeup() {
    guard trial == "condition" else { return }
    let condition = NSCondition()
    let isOver = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      condition.lock()
      condition.wait()
      condition.unlock()
      isOver.signal()
    }
    isOver.wait()
  }

  /// The child waits for the end of its input, and the test for the end of the child's output.
  @Test func leavesAPipeOpen() throws {
    guard trial == "pipe" else { return }
    let (child, input, output) = (Process(), Pipe(), Pipe())
    let cat = ProcessInfo.processInfo.environment["MAINSTAY_TRIAL_CAT"] ?? "/bin/cat"
    child.executableURL = URL(fileURLWithPath: cat)
    child.standardInput = input
    child.standardOutput = output
    try child.run()
    _ = output.fileHandleForReading.readDataToEndOfFile()
    try input.fileHandleForWriting.close()
  }

  @Test func blocksThePool() async {
    guard trial == "blocking" else { return }
    usleep(50_000)
  }

  @Test func failsOnce() throws {
    guard trial == "flake" else { return }
    let mark = try #require(ProcessInfo.processInfo.environment["MAINSTAY_TRIAL_MARK"])
    guard !FileManager.default.fileExists(atPath: mark) else { return }
    try #require(FileManager.default.createFile(atPath: mark, contents: nil))
    Issue.record("the first time")
  }

  @Test func failsACheck() async {
    guard trial == "check" else { return }
    await withCheckedContinuation { done in
      DispatchQueue.global().async {
        MainActor.preconditionIsolated()
        done.resume()
      }
    }
  }

  @Test func exits() {
    guard trial == "exit" else { return }
    exit(0)
  }

  /// Ends the process with another status, after the tests.
  @Test func exitsLater() {
    guard trial == "late-exit" else { return }
    atexit { _exit(7) }
  }

  @Test func sleeps() async throws {
    guard trial == "sleep" || trial == "late-crash" else { return }
    try await Task.sleep(for: .seconds(3))
  }

  @Test func countsProcessors() {
    guard trial == "pool" else { return }
    #expect(sysconf(Int32(_SC_NPROCESSORS_ONLN)) == 1)
  }

  /// Says that it runs, and goes on when it is ended.
  @Test func waitsForSignal() async throws {
    guard trial == "signal" else { return }
    FileHandle.standardOutput.write(Data("waiting\n".utf8))
    try await Task.sleep(for: .seconds(600))
  }
}

/// The same by XCTest.
final class XCTestTrials: XCTestCase {
  func testA() {}
  func testCrash() { if trial == "xctest-crash" { fatalError("as asked for") } }
  func testFailure() { if trial == "xctest-failure" { XCTFail("as asked for") } }
  func testZ() {}
}
