import CTruth
import Dispatch
import Foundation

extension Context {
  /// Ways onto the main queue, and onto queues that target it.
  static let mainHops: [Context] = [
    Context("main.async", .main) { DispatchQueue.main.async { probe() } },
    Context("main.async(barrier)", .main) {
      DispatchQueue.main.async(flags: .barrier) { probe() }
    },
    Context("main.asyncAfter", .main) {
      DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(5)) { probe() }
    },
    Context("group.notify(main)", .main) {
      let group = DispatchGroup()
      Queues.q1.async(group: group) {}
      group.notify(queue: .main) { probe() }
    },
    Context("WorkItem on main", .main) {
      DispatchQueue.main.async(execute: DispatchWorkItem { probe() })
    },
    Context("main.sync from q1", .main) {
      Queues.q1.async { DispatchQueue.main.sync { probe() } }
    },
    Context("main.sync from Thread", .main) {
      thread { DispatchQueue.main.sync { probe() } }
    },
    Context("main.asyncAndWait from q1", .main) {
      Queues.q1.async { asyncAndWait(.main) { probe() } }
    },
    Context("main busy, main.sync from q1", .main) {
      occupyMain()
      Queues.q1.async { DispatchQueue.main.sync { probe() } }
    },
    Context("main busy, main.asyncAndWait from q1", .main) {
      occupyMain()
      Queues.q1.async { asyncAndWait(.main) { probe() } }
    },
    Context("main busy, main.asyncAndWait from Thread in q2.sync", .main) {
      occupyMain()
      thread { Queues.q2.sync { asyncAndWait(.main) { probe() } } }
    },
    Context("qT.async", .main) { Queues.toMain.async { probe() } },
    Context("qTT.async", .main) { Queues.toMainTwice.async { probe() } },
    Context("qCT.async", .main) { Queues.concurrentToMain.async { probe() } },
    Context("qCT.async(barrier)", .main) {
      Queues.concurrentToMain.async(flags: .barrier) { probe() }
    },
    Context("qT.sync from q1", .main) { Queues.q1.async { Queues.toMain.sync { probe() } } },
    Context("qT.sync from Thread", .main) { thread { Queues.toMain.sync { probe() } } },
    Context("qCT.sync from Thread", .main) { thread { Queues.concurrentToMain.sync { probe() } } },
    Context("qT.asyncAndWait from Thread", .main) {
      thread { asyncAndWait(Queues.toMain) { probe() } }
    },
    Context("workItem.notify(main)", .main) {
      let item = DispatchWorkItem {}
      item.notify(queue: .main) { probe() }
      Queues.q1.async(execute: item)
    },
  ]

  /// Ways onto other queues and threads.
  static let otherHops: [Context] = [
    Context("q1.async", .elsewhere) { Queues.q1.async { probe() } },
    Context("q1.async{q2.sync}", .elsewhere) { Queues.q1.async { Queues.q2.sync { probe() } } },
    Context("q1.async{qC.sync}", .elsewhere) {
      Queues.q1.async { Queues.concurrent.sync { probe() } }
    },
    Context("qC.async", .elsewhere) { Queues.concurrent.async { probe() } },
    Context("qC.async(barrier)", .elsewhere) {
      Queues.concurrent.async(flags: .barrier) { probe() }
    },
    Context("bg.async", .elsewhere) { Queues.background.async { probe() } },
    Context("WorkItem.perform on q1", .elsewhere) {
      Queues.q1.async { DispatchWorkItem { probe() }.perform() }
    },
    Context("q1.async{concurrentPerform helper}", .elsewhere) {
      Queues.q1.async { performConcurrently(probingCaller: false) }
    },
    Context("Thread", .elsewhere) { thread { probe() } },
    Context("Thread{q1.sync}", .elsewhere) { thread { Queues.q1.sync { probe() } } },
    Context("pthread that never used Dispatch", .elsewhere) {
      truth_run_thread({ _ in probe() }, nil)
    },
    Context("pthread key destructor", .elsewhere) {
      truth_run_thread({ _ in truth_at_thread_end({ _ in probe() }, nil) }, nil)
    },
  ]
}

func thread(_ body: @escaping @Sendable () -> Void) {
  Thread.detachNewThread { body() }
}

/// Keeps the main queue busy for a moment, from when it first runs; the sleep lets it begin.
func occupyMain() {
  let sender = Thread {
    DispatchQueue.main.async { usleep(50_000) }
  }
  sender.start()
  usleep(5_000)
}
