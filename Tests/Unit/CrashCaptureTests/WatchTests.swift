import CrashCapture
import LogReading
import Foundation
import IncidentModel
import ProcessTesting
import Testing

@Suite("What is watched")
struct WatchTests {
  /// On a busy machine what Dispatch does at rest may cost as much as work, and the process is roused for
  /// it. One at work is sent 72 beats in nine seconds, and its watch wakes 44 times in eleven; at rest, 10 and 12.
  @Test("is left at rest where the process rests", .long)
  func rests() throws {
    let run = try Run("idle")
    let numbers = run.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    try #require(numbers.count == 2, "\(run.output)")
    #expect(numbers[0] <= 24)
    #expect(numbers[1] <= 24)
  }

  @Test("is seen to hang soon after it rested, by a threshold as short as was asked for")
  func isRoused() throws {
    let told = try Run("roused").hangs.filter { $0.category == "queue" }.map(\.message)
    #expect(told.contains("does not answer") && told.last == "answers again")
  }

  @Test(
    "is seen to hang where it wakes from a rest and blocks at once", .long,
    arguments: [("main-blocks-from-rest", "main queue"), ("pool-blocks-from-rest", "pool")])
  func blocksFromRest(scene: String, executor: String) throws {
    let told = try Run(scene).hangs.filter { $0.category == executor }
    #expect(told.contains { $0["doing"] == .string("blocked") }, "\(told)")
  }

  /// The kernel tells where the main queue's thread waits. On arm64 that is not enough to walk its stack.
  @Test("waits on as long as it meant to while its stack is taken", .long)
  func isNotInterrupted() throws {
    let run = try Run("interrupted")
    let told = run.hangs.filter { $0.category == "main queue" && $0.message == "does not answer" }
    #expect(told.count == 4)
    #if arch(x86_64)
      #expect(run.output == "0\n")
    #endif
    for crumb in told { #expect(crumb.stack?.end == .complete && crumb["threadName"] != nil) }
  }

  @Test("is an event loop without a watch of its own, where its thread blocks", .long)
  func loopBlocks() throws {
    let hangs = try Run("loop-blocks").hangs.filter { $0.category == "loop" }
    #expect(hangs.map(\.message) == ["does not answer", "answers again"])
    #expect(hangs.first?["name"] == .string("NIO-ELT-0-#1"))
    #expect(
      hangs.first?["doing"] == .string("blocked") && hangs.first?.stack?.frames.isEmpty == false)
  }

  @Test("is no event loop that waits for events, or blocks for short times", .long)
  func loopsWork() throws {
    #expect(try Run("loops-work").hangs.filter { $0.category == "loop" }.isEmpty)
  }

  @Test("is no event loop that has the name by inheritance alone, or has it no more", .long)
  func inheritsName() throws {
    #expect(try Run("not-loops").hangs.filter { $0.category == "loop" }.isEmpty)
  }

  @Test("has an end for each hang of an event loop that was recorded, and no other", .long)
  func loopsFlood() throws {
    let messages = try Run("loops-flood").hangs.filter { $0.category == "loop" }.map(\.message)
    #expect(messages.filter { $0 == "does not answer" }.count == 4)
    #expect(messages.filter { $0 == "answers again" }.count == 4)
  }

  @Test("is an event loop that blocks on when a debugger has gone", .long)
  func loopIsDebugged() throws {
    let hangs = try Run("loop-blocks-debugged").hangs.filter { $0.category == "loop" }
    #expect(hangs.map(\.message) == ["does not answer", "answers again"])
  }

  @Test("is no longer an event loop known by its name, when a loop has a watch of its own", .long)
  func loopIsWatchedLater() throws {
    let run = try Run("loop-watched-later")
    let messages = run.hangs.filter { $0.category == "loop" }.map(\.message)
    #expect(messages == ["does not answer", "is watched no more"])
    #expect(run.output == "0\n")
  }

  @Test("does not answer again where the thread of an event loop ended", .long)
  func loopEnds() throws {
    let messages = try Run("loop-ends").hangs.filter { $0.category == "loop" }.map(\.message)
    #expect(messages == ["does not answer", "is watched no more"])
  }

  /// A watch that looks as often as at a loop that has just begun to block wakes 66 times.
  @Test("is left at rest where an event loop's hang is recorded", .long)
  func restsWithBlockedLoop() throws {
    let run = try Run("loop-blocks-at-rest")
    #expect(run.hangs.filter { $0.category == "loop" }.map(\.message) == ["does not answer"])
    #expect(try #require(Int(run.output.dropLast())) <= 24)
  }

  @Test("is an event loop that waits for a lock, and the owner's activity is recorded", .long)
  func loopWaitsForLock() throws {
    let hangs = try Run("loop-waits-for-lock").hangs.filter { $0.category == "loop" }
    let owner = try #require(hangs.first { $0.message == "holds its lock" })
    #expect(owner["waiter"] == hangs.first?["thread"])
    #expect(owner["doing"] == .string("blocked"))
  }

  @Test("is a pool whose threads wait for one lock: its owner is named for each of them")
  func poolWaitsForLock() throws {
    let hangs = try Run("pool-waits-for-lock").hangs.filter { $0.category == "pool" }
    let owned = hangs.filter { $0.message == "holds its lock" }
    let held = hangs.filter { ["does not answer", "holds it too"].contains($0.message) }
    let waiters = Set(owned.compactMap { $0["waiter"].map { "\($0)" } })
    #expect(waiters == Set(held.compactMap { $0["thread"].map { "\($0)" } }))
    #expect(Set(owned.compactMap { $0["thread"].map { "\($0)" } }).count == 1)
    #expect(owned.filter { $0.stack?.frames.isEmpty == false }.count == 1)
  }

  #if DEBUG
    @Test(
      "waits for a lock whose owner is not named, where the C library's mutex is not known", .long)
    func lockIsUnknown() throws {
      let run = try Run("lock-kept", denying: "lock-owner")
      #expect(run.hangs.contains { $0["doing"] == .string("blocked") })
      #expect(!run.hangs.contains { $0.message == "holds its lock" })
    }
  #endif

  @Test("is no event loop, by default, where the main queue is not")
  func followsMainQueue() {
    #expect(CrashOptions().loopThreshold == .seconds(2))
    #expect(CrashOptions(hangThreshold: nil).loopThreshold == nil)
    #expect(
      CrashOptions(hangThreshold: nil, loopThreshold: .seconds(1)).loopThreshold == .seconds(1))
    #expect(CrashOptions(loopThreshold: nil).loopThreshold == nil)
    var options = CrashOptions()
    options.hangThreshold = nil
    #expect(options.loopThreshold == nil)
    options.loopThreshold = .seconds(3)
    #expect(options.hangThreshold == nil && options.loopThreshold == .seconds(3))
  }

  @Test("waits for a lock, and the thread that has the lock is recorded with its stack", .long)
  func lockKept() throws {
    let hangs = try Run("lock-kept").hangs.filter { $0.category == "main queue" }
    let owner = try #require(hangs.first { $0.message == "holds its lock" })
    #expect(owner["waiter"] == hangs.first?["thread"] && owner["thread"] != hangs.first?["thread"])
    #expect(owner.stack?.frames.isEmpty == false)
  }

  @Test("has no threads for pools that nobody uses")
  func hasNoTasks() throws {
    #expect(try Run("no-tasks").output == "0\n")
  }

  @Test("did not answer for none of the time of many short stops", .long)
  func isStoppedOften() throws {
    let told = try Run("stopped-often").hangs.filter { $0.category == "main queue" }
    #expect(told.allSatisfy { $0["doing"] == .string("starved") }, "\(told)")
  }

  @Test("is seen to hang where it answered late, and has hardly run since", .long)
  func isLate() throws {
    let told = try Run("late").hangs.map(\.message)
    #expect(told == ["does not answer", "answers again"])
  }

  @Test("did not answer for none of the time in which the process was stopped", .long)
  func isStopped() throws {
    let long = try Run("stopped").hangs.filter { crumb in
      if case .integer(let value)? = crumb["milliseconds"] { value >= 1_500 } else { false }
    }
    #expect(long.isEmpty)
  }

  @Test(
    "does no harm to a forked child, nor what is gone to anybody", arguments: ["forked", "many"])
  func doesNoHarm(scene: String) throws { _ = try Run(scene) }

  @Test("is an actor only as long as it lives")
  func isGone() throws {
    #expect(try Run("gone").hangs.filter { $0.category == "actor" }.isEmpty)
  }

  @Test("says so where its watch ends amid a hang", .long)
  func isCancelled() throws {
    let hangs = try Run("cancelled").hangs.filter { $0.category == "queue" }
    #expect(hangs.map(\.message) == ["does not answer", "is watched no more"])
    #expect(hangs.first?["doing"] == .string("blocked"))
  }

  /// The watch gets as little of a processor: it may see nothing at all.
  @Test("is not accused where other processes have the processors", .long)
  func isOverloaded() throws {
    let told = try Run("overloaded").hangs.compactMap { $0["doing"] }
    #expect(told.allSatisfy { $0 == .string("starved") }, "\(told)")
  }

  @Test("is busy where its work computes, though others have most of the processors", .long)
  func computes() throws {
    let told = try Run("computes").hangs.filter { $0.category == "queue" }
    #expect(told.last { $0["doing"] != nil }?["doing"] == .string("busy"), "\(told)")
  }

  /// Where others have the processors, who would be busy is starved.
  @Test("is said to be busy where tasks compute without a pause")
  func isBusy() throws {
    let told = try Run("busy").hangs.filter { $0.message != "answers again" }
    #expect(told.contains { $0.category == "pool" })
    let doing = told.compactMap { $0["doing"] }
    #expect(doing.allSatisfy { [.string("busy"), .string("starved")].contains($0) }, "\(doing)")
  }

  @Test("answers where tasks wait as they should, or compute with pauses")
  func works() throws {
    let told = try Run("working").hangs.compactMap { $0["doing"] }
    #expect(told.allSatisfy { $0 == .string("starved") }, "\(told)")
  }

  @Test("tells of a flood only its worst", .long)
  func isAFlood() throws {
    let hangs = try Run("flood").hangs.filter {
      $0.message == "does not answer" && $0.category == "queue"
    }
    #expect((1...6).contains(hangs.count), "\(hangs.count)")
  }

  /// A scene from its beginning to its end.
  private struct Run {
    let output: String
    let hangs: [Crumb]

    init(_ scene: String, denying fact: String = "") throws {
      let log = TestFiles.path("\(scene).log")
      let end = try ChildProcess.run(
        "watching", [scene, log], environment: ["MAINSTAY_DENY_FACTS": fact])
      try #require(end.signal == 0 && end.status == 0, "\(end.everything)")
      output = end.output
      hangs = try LogReader(path: log).read().crumbs.filter { $0.kind == .hang }
    }
  }
}
