/// The work that two readings of a process, some time apart, have in common.
package struct LastingWork: Hashable, Sendable {
  /// The time between the readings, in nanoseconds.
  package var span: UInt64
  /// Tasks that ran at both and used a processor meanwhile, by their ids.
  package private(set) var busy: Set<UInt64> = []
  /// Two stacks of each busy task at the second reading: that of its thread, and that of its async callers.
  package var stacks: [UInt64: [Stack]] = [:]
  /// Tasks that waited for their turn at both, where each that waited at first still did.
  package private(set) var waiting: Set<UInt64> = []
  /// Queues with the same thread and the same next job at both.
  package private(set) var standing: Set<UInt64> = []

  /// Work that pauses now and then is busy too.
  private static let leastShare: UInt64 = 4

  package init(from first: TaskPicture, to second: TaskPicture, span: UInt64) {
    self.span = span
    let before = Dictionary(first.threads.map { ($0.kernelID, $0) }) { first, _ in first }
    let used = Dictionary(
      second.threads.compactMap { thread -> (Int, UInt64)? in
        guard let now = thread.used, let then = before[thread.kernelID]?.used else { return nil }
        return (thread.kernelID, now &- min(now, then))
      }, uniquingKeysWith: { first, _ in first })
    var served: Set<PictureExecutor> = []
    for task in first.tasks {
      guard let again = second.task(task.id) else {
        if case .enqueued(let executor) = task.state { served.insert(executor) }
        continue
      }
      switch (task.state, again.state) {
      case (.running(let one?), .running(let other?)):
        let used = max(used[one] ?? 0, used[other] ?? 0)
        // On a busy machine a thread that computes waits for a processor most of the time.
        let isRunnable = before[one]?.isRunnable == true && second.thread(other)?.isRunnable == true
        if used >= span / Self.leastShare || isRunnable && used > 0 { busy.insert(task.id) }
      case (.enqueued(let executor), _):
        if task.state == again.state { waiting.insert(task.id) } else { served.insert(executor) }
      default: break
      }
    }
    waiting = waiting.filter { id in
      if case .enqueued(let executor)? = first.task(id)?.state {
        !served.contains(executor)
      } else {
        false
      }
    }
    for queue in first.queues {
      guard let holder = queue.holder, let jobs = queue.jobs,
        let again = second.queue(queue.address), again.holder == holder,
        again.jobs?.first == jobs.first, let then = before[holder]?.wait,
        then == second.thread(holder)?.wait
      else { continue }
      standing.insert(queue.address)
    }
  }
}

extension TaskPicture {
  /// Whether a second reading some time later can tell whether work is stuck, or only takes its time.
  package var needsSecondReading: Bool {
    let running = tasks.filter { if case .running(_?) = $0.state { true } else { false } }
    if running.contains(where: { $0.flags.contains(.cancelled) }) { return true }
    if queues.contains(where: { $0.holder != nil && $0.jobs != nil }) { return true }
    return !running.isEmpty
      && tasks.contains { task in
        switch task.state {
        case .enqueued(.actor), .enqueued(.main): true
        default: false
        }
      }
  }
}
