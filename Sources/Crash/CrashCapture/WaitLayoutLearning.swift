import Breadcrumbs
internal import CCrashHandler
internal import CRecorder

/// Lets tasks wait for each kind of event, on the current thread only, to locate the runtime's records of their
/// waits.
enum WaitLayoutLearning {
  /// Starts or stops the tracking of waiting tasks.
  static func noteWaitingTasks(_ notes: Bool) -> WaitingTaskRecording {
    guard notes else {
      ms_waiting_end()
      return .off
    }
    guard ms_crash_waits_begin() else {
      return .unavailable("the Swift runtime is statically linked into the program")
    }
    for _ in 0..<2 { learn() }  // the second pass verifies the first
    if ms_crash_waits_note() { return .on }
    ms_waiting_end()
    return .unavailable("the record of a waiting task was not found in this Swift runtime")
  }

  private static func learn() {
    let continuation = SampleTask { sample in await sample.wait() }
    ms_wait_learn(continuation.task, MS_WAITS_FOR_CONTINUATION, nil)
    let task = SampleTask { _ in await continuation.body?.value }
    ms_wait_learn(task.task, MS_WAITS_FOR_TASK, continuation.task)
    let group = SampleTask { sample in
      await withTaskGroup(of: Void.self) { group in group.addTask { await sample.wait() } }
    }
    ms_wait_learn(group.task, MS_WAITS_FOR_GROUP, nil)
    let actor = SampleActor()
    let executor = SampleTask { _ in await actor.visit() }
    ms_wait_learn(
      executor.task, MS_WAITS_FOR_EXECUTOR,
      UnsafeRawPointer(Unmanaged.passUnretained(actor.executor).toOpaque()))
    actor.executor.open()
    group.goOn()
    continuation.goOn()
  }
}

/// A task that waits until `goOn` is called.
private final class SampleTask: @unchecked Sendable {
  private(set) var task: UnsafeRawPointer?
  private(set) var body: Task<Void, Never>?
  private var continuation: UnsafeContinuation<Void, Never>?

  init(_ work: @escaping @Sendable (SampleTask) async -> Void) {
    body = Task.detached(executorPreference: ImmediateExecutor()) {
      self.task = ms_task_here()
      await work(self)
      ms_wait_check_runs(self.task)
    }
  }

  func wait() async { await withUnsafeContinuation { continuation = $0 } }

  func goOn() { continuation?.resume() }
}

/// An actor whose tasks wait until its executor is opened.
private actor SampleActor {
  let executor = HeldExecutor()

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private var visits = 0

  /// Not inlined, and with a side effect: the optimizer removes a hop to an actor without work.
  @inline(never) func visit() { visits += 1 }
}

private final class HeldExecutor: SerialExecutor, @unchecked Sendable {
  private var waiting: UnownedJob?

  func enqueue(_ job: consuming ExecutorJob) { waiting = UnownedJob(job) }

  func open() {
    waiting?.runSynchronously(on: asUnownedSerialExecutor())
    waiting = nil
  }
}
