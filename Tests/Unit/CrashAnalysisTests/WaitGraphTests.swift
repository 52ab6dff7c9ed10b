import IncidentModel
import Testing

@testable import CrashAnalysis

/// Circles of waits, and those that only look like one.
@Suite struct WaitGraphTests {
  private static func thread(_ id: Int, _ wait: PictureThread.Wait?, givers: [Int] = [])
    -> PictureThread
  {
    var thread = PictureThread(kernelID: id)
    thread.wait = wait
    thread.awaitedThreads = givers
    return thread
  }

  private static func graph(_ threads: [PictureThread], locks: [UInt64: Int] = [:]) -> WaitGraph {
    var picture = TaskPicture()
    picture.threads = threads
    picture.locks = locks
    return WaitGraph(picture)
  }

  @Test func threadsThatWaitForEachOthersLocksAreACircle() {
    let graph = Self.graph(
      [Self.thread(1, .lock(0x20)), Self.thread(2, .lock(0x10))], locks: [0x10: 1, 0x20: 2])
    #expect(graph.circles == [[.thread(1), .lock(0x20), .thread(2), .lock(0x10)]])
    #expect(graph.stuck.contains(.thread(1)))
  }

  @Test func aSignalThatAThreadWhichRunsCanGiveEndsTheWait() {
    let waiting = [Self.thread(1, .signal(0x80), givers: [2, 3]), Self.thread(2, .lock(0x10))]
    let runs = Self.graph(waiting + [Self.thread(3, nil)], locks: [0x10: 1])
    #expect(runs.circles.isEmpty)
    #expect(runs.stuck.isEmpty)
    let blocked = Self.graph(waiting + [Self.thread(3, .lock(0x10))], locks: [0x10: 1])
    #expect(!blocked.circles.isEmpty)
    #expect(blocked.circles.allSatisfy { !blocked.isCertain($0) })
  }

  @Test func aWaitBehindACircleIsStuckToo() {
    let graph = Self.graph(
      [Self.thread(1, .lock(0x20)), Self.thread(2, .lock(0x10)), Self.thread(3, .thread(1))],
      locks: [0x10: 1, 0x20: 2])
    #expect(graph.circles.count == 1)
    #expect(graph.stuck.contains(.thread(3)))
  }

  /// Of a process that ran meanwhile, only the waits of two readings count.
  @Test func waitsOfOneReadingAloneAreForgotten() {
    var first = TaskPicture()
    first.threads = [Self.thread(1, .lock(0x20)), Self.thread(2, .lock(0x10))]
    first.locks = [0x10: 1, 0x20: 2]
    var second = first
    second.threads[1].wait = nil
    second.keepWaits(commonWith: first)
    #expect(WaitGraph(second).circles.isEmpty)
    var same = first
    same.keepWaits(commonWith: first)
    #expect(WaitGraph(same).circles.count == 1)
  }
}
