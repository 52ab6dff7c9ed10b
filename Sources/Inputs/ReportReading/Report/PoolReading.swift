import IncidentModel

/// Finds a pool without a free thread in a list of threads: every thread of the pool runs the same
/// function of the program, and waits there for other work.
enum PoolReading {
  /// The number of threads from which equal stacks are no coincidence.
  private static let least = 3

  static func judged(_ report: CrashReport) -> CrashReport {
    guard report.failure?.isFatal != true, report.standstill == nil, report.toldRace == nil,
      report.threads.count >= least
    else { return report }
    let reading = FrameReading(ownImages: report.ownImages)
    let pools = Dictionary(grouping: report.threads.filter { $0.isMain != true }, by: name)
    let starved = pools.filter { name, threads in
      guard let name, !name.isEmpty, threads.count >= least,
        threads.allSatisfy({ $0.waitsFor == nil })
      else { return false }
      let places = threads.map { wait(of: $0, reading) }
      return places[0] != nil && places.allSatisfy { $0 == places[0] }
    }
    guard
      let pool = starved.max(by: { ($0.value.count, $1.key ?? "") < ($1.value.count, $0.key ?? "") }
      )
    else { return report }
    var report = report
    // Threads without a name of their own have that of the process.
    let isOfProcess = report.threads.contains { $0.isMain == true && $0.name == pool.key }
    let isOfTasks = pool.value[0].frames.contains { $0.symbol.hasPrefix("swift") }
    let name = isOfProcess ? isOfTasks ? "Swift's task pool" : "the pool" : pool.key ?? ""
    report.starvedPool = (name, pool.value.map(\.number))
    return report
  }

  /// The name that all threads of a pool share: the label of their queue, or a thread's name
  /// without its number.
  private static func name(_ thread: CrashReport.Thread) -> String? {
    if let queue = thread.queue, !queue.isEmpty { return queue }
    let name = thread.name.trimmed
    let end = name.lastIndex { !$0.isNumber }
    return end.map { name[...$0].trimmedOf("-_# ") }
  }

  /// The own function in which a pool's thread waits for other work; nil if the thread is free, at
  /// work, or waits for new work in a loop of its own.
  private static func wait(
    of thread: CrashReport.Thread, _ reading: FrameReading
  ) -> CrashReport.Frame? {
    guard let own = thread.frames.firstIndex(where: reading.isOwn), own > 0,
      thread.frames[own...].contains(where: isRunner)
    else { return nil }
    let inner = thread.frames[..<own].map(\.symbol)
    guard inner.contains(where: isWait), !isOfQueue(inner[own - 1]) else { return nil }
    var frame = thread.frames[own]
    frame.address = 0
    return frame
  }

  private static func isWait(_ function: String) -> Bool {
    WaitFunctions.isWait(function)
      || ["futex", "::park", "LockSupport.park", "Condvar::wait", "condition_variable::wait"]
        .contains(
          where: function.contains)
  }

  /// True for a function that takes the next item of a queue: a consumer that waits there is idle.
  private static func isOfQueue(_ function: String) -> Bool {
    let name = function.lowercased()
    return [
      "queue.take", "queue.poll", "deque.take", "deque.poll", "queue::pop", "recv", "receive",
      "accept",
    ]
    .contains(where: name.contains)
  }

  /// True for a function with which a pool runs a task.
  private static func isRunner(_ frame: CrashReport.Frame) -> Bool {
    let name = frame.isOwn == false ? "\(frame.image).\(frame.symbol)" : frame.symbol
    return runners.contains { name.contains($0) }
  }

  private static let runners = [
    "ThreadPoolExecutor.runWorker", "java.util.concurrent.ForkJoin", "CoroutineScheduler",
    "swift_job_run", "swift::runJob", "_dispatch_root_queue_drain", "_dispatch_worker_thread",
    "scheduler::multi_thread::worker", "runtime::blocking::pool", "rayon_core::registry",
    "ThreadPoolWorkQueue.Dispatch", "PortableThreadPool", "concurrent.futures.thread._worker",
    "g_thread_pool_thread_proxy", "QThreadPoolThread::run", "asio::thread_pool",
  ]
}
