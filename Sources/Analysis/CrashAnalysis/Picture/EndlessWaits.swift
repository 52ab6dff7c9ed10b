import IncidentModel

/// The object of a wait without a limit.
enum AwaitedObject {
  case semaphore, group, condition, signal, lock, queue, thread
  case continuation, stream, expectation
  /// A call of a library, such as a read of a pipe.
  case call(String)

  /// The wait as a verb phrase.
  var words: String {
    switch self {
    case .semaphore, .condition, .signal: "waits for a \(noun), and no signal woke it"
    case .group: "waits for a group that still has members"
    case .lock: "waits for a lock that nothing unlocked"
    case .queue: "waits for its turn on a queue that did not become free"
    case .thread: "waits for the end of a thread that did not end"
    case .continuation: "waits for a continuation that nothing resumed"
    case .stream: "waits for the next element of a stream that nothing finished"
    case .expectation: "waits for an expectation that nothing fulfilled"
    case .call(let name): "is still in \(name)"
    }
  }

  var noun: String {
    switch self {
    case .semaphore: "semaphore"
    case .group: "group"
    case .condition: "condition"
    case .signal: "signal"
    case .lock: "lock"
    case .queue: "queue"
    case .thread: "thread"
    case .continuation: "continuation"
    case .stream: "stream"
    case .expectation: "expectation"
    case .call: "call"
    }
  }

  var fix: String {
    switch self {
    case .semaphore, .signal: "Signal the semaphore on every path, or wait with a time limit."
    case .group: "Balance each enter() with a leave() on every path, or wait with a time limit."
    case .condition:
      "Change the state and signal the condition with its lock held; use broadcast() if the change may concern several threads."
    case .lock:
      "Unlock the lock on every path, for example with withLock, and do not lock it twice on one thread."
    case .queue: "Resume the queue if it is suspended, and end its earlier work on every path."
    case .thread: "End the function of the thread on every path."
    case .continuation: "Resume the continuation on every path."
    case .stream: "Call finish() on the stream’s continuation on every path."
    case .expectation:
      "Fulfill the expectation on every path, and wait for it with a short timeout."
    case .call(let name) where name.contains("read"):
      "Close the other end of the pipe or socket on every path."
    case .call: ""
    }
  }

  /// - Parameter functions: The functions between the wait and the program's own code.
  fileprivate init(ofSignal functions: [String]) {
    func has(_ words: String...) -> Bool {
      functions.contains { function in words.contains(where: function.contains) }
    }
    // A lock that its own thread or an ended thread holds has no owner in the picture.
    self =
      has("dispatch_group_wait")
      ? .group
      : has("cond_wait")
        ? .condition
        : has("sem") ? .semaphore : has("mutex_lock", "rwlock", "lll_lock") ? .lock : .signal
  }
}

/// The waits of tests in a test process.
extension PictureReading {
  /// The wait of each thread and task of a test, followed by the waits of the parties that it waits
  /// for.
  var waitsOfTests: [[WaitGraph.Node]] {
    let threads = tasks.threads.map { WaitGraph.Node.thread($0.kernelID) }
    let all = threads + tasks.tasks.map { WaitGraph.Node.task($0.id) }
    return all.filter { isOfTest($0) && awaitedObject(of: $0) != nil }.map { start in
      var chain = [start]
      while let next = party(awaitedBy: chain[chain.count - 1]), !chain.contains(next) {
        chain.append(next)
      }
      return chain
    }
  }

  private func frames(of node: WaitGraph.Node) -> [Frame] {
    switch node {
    case .thread(let id): stack(ofThread: id).map(frames(of:)) ?? []
    case .task(let id): tasks.task(id).map { frames(of: $0.stack) } ?? []
    case .actor, .queue, .lock: []
    }
  }

  /// True if a test library called the code of a thread or task.
  private func isOfTest(_ node: WaitGraph.Node) -> Bool {
    var frames = frames(of: node)
    if case .thread(let id) = node, let task = tasks.thread(id)?.task {
      frames += self.frames(of: .task(task))
    }
    return frames.contains { frame in
      ["Testing", "XCTest", "libTesting.so", "libXCTest.so"].contains(frame.place.module)
    }
  }

  /// The party that a thread or task waits for, if that party waits in the program's code itself.
  private func party(awaitedBy node: WaitGraph.Node) -> WaitGraph.Node? {
    let others: [WaitGraph.Node] =
      switch node {
      case .thread(let id):
        switch tasks.thread(id)?.wait {
        case .signal?:
          (tasks.thread(id)?.awaitedThreads ?? []).map { .thread($0) }
            + (tasks.thread(id)?.awaitedTasks ?? []).map { .task($0) }
        case .thread(let other)?: [.thread(other)]
        case .lock(let lock)?: (tasks.locks[lock].map { [.thread($0)] }) ?? []
        case .queue(let queue)?: (tasks.queue(queue)?.holders ?? []).map { .thread($0) }
        case .time?, .work?, .call?, nil: []
        }
      case .task(let id):
        switch tasks.task(id)?.state {
        case .waiting(.task(let other))?: [.task(other)]
        case .waiting(.group(let children))?: children.map { .task($0) }
        default: []
        }
      case .actor, .queue, .lock: []
      }
    return others.first { awaitedObject(of: $0) != nil }
  }

  /// The object of the wait of a thread or task in the program's own code; nil if it does not wait, or
  /// only for a limited time.
  func awaitedObject(of node: WaitGraph.Node) -> AwaitedObject? {
    guard let place = place(of: node), !place.isGenerated else { return nil }
    let called = frames(of: node).prefix { $0.role != .code }
    if called.contains(where: \.waitsForExpectation) { return .expectation }
    let functions = called.map(\.place.function)
    switch node {
    case .thread(let id):
      switch tasks.thread(id)?.wait {
      case .signal?: return AwaitedObject(ofSignal: functions)
      case .lock?: return .lock
      case .queue?: return .queue
      case .thread?: return .thread
      case .call?: return called.last { $0.isNamed }.map { .call($0.place.name) }
      case .time?, .work?, nil: return nil
      }
    case .task(let id):
      guard let task = tasks.task(id), case .waiting(let wait) = task.state,
        !reading(task.stack).isAsleep
      else { return nil }
      if case .continuation = wait, functions.contains(where: { $0.contains("Stream") }) {
        return .stream
      }
      return .continuation
    case .actor, .queue, .lock: return nil
    }
  }

  /// True if the memory shows no other thread or task that refers to the object of a thread's wait.
  func isUnreferenced(_ node: WaitGraph.Node) -> Bool {
    guard case .thread(let id) = node, let thread = tasks.thread(id), case .signal = thread.wait
    else { return false }
    return thread.isAwaitedKnown && thread.awaitedTasks.isEmpty && thread.awaitedThreads.isEmpty
  }

  /// True if every thread and every task waits.
  var isIdle: Bool {
    tasks.threads.allSatisfy { $0.wait != nil }
      && tasks.tasks.allSatisfy { task in
        switch task.state {
        case .running, .waiting, .finished, .notStarted: true
        case .enqueued, .unknown: false
        }
      }
  }
}
