import CRecorder
import CWalkSubjects
import Foundation
import Testing

/// What the interface promises besides the frames themselves.
@Suite(.serialized)
struct WalkPromiseTests {
  init() { ms_walk_start() }

  @Test func firstFrameIsTheCaller() { #expect(ms_first_frame_is_the_caller()) }

  @Test func warmWalksMakeNoSystemCall() { #expect(ms_warm_walks_call_no_system()) }

  @Test func boundedWalksReadNothingOutside() { #expect(ms_walks_stay_within()) }

  @Test func callThroughANullPointerKeepsItsCaller() {
    #expect(ms_null_call_keeps_its_caller())
  }

  @Test func capacityAndSkipCutTheSameWalk() {
    var whole = [UInt](repeating: 0, count: 200)
    var end = MS_WALK_LIMIT
    let count = walk(&whole, capacity: 200, skip: 0, &end)
    #expect(end == MS_WALK_COMPLETE)
    for (capacity, skip) in [(1, 0), (3, 0), (3, 2), (200, 1), (200, count - 1), (200, count + 5)] {
      var part = [UInt](repeating: 7, count: 201)
      let kept = walk(&part, capacity: capacity, skip: skip, &end)
      #expect(kept == max(0, min(capacity, count - skip)))
      #expect(end == (kept == capacity ? MS_WALK_LIMIT : MS_WALK_COMPLETE))
      // The first frames are this test's own, at another line for each walk.
      let first = max(0, 2 - skip)
      if kept > first { #expect(part[first..<kept] == whole[(first + skip)..<(kept + skip)][...]) }
      #expect(part[kept...].allSatisfy { $0 == 7 })
    }
    #expect(walk(&whole, capacity: 0, skip: 0, &end) == 0)
  }

  @Test func stackIsLearntOnceForEachThread() async {
    let probes = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        let before = ms_walk_memory_probes()
        _ = recurse(2000)
        let learnt = ms_walk_memory_probes()
        _ = recurse(2000)
        let again = ms_walk_memory_probes()
        continuation.resume(returning: (first: learnt - before, second: again - learnt))
      }
    }
    #expect(probes.first > 0)
    #expect(probes.second == 0)
  }

  // Swift Testing runs a test in a process of its own from 6.2 on.
  #if compiler(>=6.2)
    @Test func environmentForcesLibunwind() async {
      await #expect(processExitsWith: .success) {
        setenv("MAINSTAY_WALK", "libunwind", 1)
        ms_walk_start()
        guard ms_walk_engine_in_use() == MS_WALK_LIBUNWIND,
          String(cString: ms_walk_engine_reason()).contains("MAINSTAY_WALK"),
          ms_first_frame_is_the_caller(), ms_compare_here("libunwind forced")
        else { exit(1) }
        exit(0)
      }
    }
  #endif

  @Test func theEngineIsOursAndSaysWhy() {
    #expect(ms_walk_engine_in_use() == MS_WALK_RULES)
    #expect(!String(cString: ms_walk_engine_reason()).isEmpty)
  }

  @Test func emptyingTheTableEmptiesIt() {
    _ = ms_compare_here("before")
    #expect(ms_walk_remembered_rules() > 0)
    ms_walk_forget_rules()
    #expect(ms_walk_remembered_rules() == 0)
  }
}

@inline(never)
private func walk(
  _ frames: inout [UInt], capacity: Int, skip: Int, _ end: inout ms_walk_end
) -> Int {
  Int(ms_walk_here(&frames, UInt32(capacity), UInt32(skip), &end))
}

@inline(never)
private func recurse(_ depth: Int) -> Int {
  guard depth == 0 else { return recurse(depth - 1) + 1 }
  var frames = [UInt](repeating: 0, count: 4000)
  var end = MS_WALK_LIMIT
  return walk(&frames, capacity: 4000, skip: 0, &end)
}
