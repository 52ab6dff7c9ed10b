internal import CCrashHandler
import Dispatch

/// A watch over an executor: a queue, an actor, an event loop. If the executor does not answer for longer than
/// a threshold, a hang is recorded, with the stack of the thread that holds the executor.
///
///     let watch = HangWatch(named: "connections 1") { beat in
///       eventLoop.execute { beat() }
///     }
///
/// The watch is active while the crash handler is installed, from the first answer on, until the watch is
/// cancelled or deallocated. The main queue and the pools of Swift's tasks need no watch: ``CrashOptions``
/// has their thresholds. At most 26 watches can be active; a further watch has no effect.
public final class HangWatch: Sendable {
  private let watch: UInt64

  /// Watches a serial queue, which the watch retains.
  ///
  /// - Parameters:
  ///   - queue: A serial queue.
  ///   - name: The name in findings; the queue's label by default.
  ///   - threshold: The time without an answer after which a hang is recorded.
  public convenience init(
    queue: DispatchQueue, name: String? = nil, threshold: Duration = .seconds(2)
  ) {
    self.init(
      MS_WATCHED_QUEUE, name ?? queue.label, threshold,
      Beat { beat in queue.async(execute: DispatchWorkItem(block: beat)) })
  }

  /// Watches an actor, which the watch holds weakly. A beat reaches the actor through the pool of tasks
  /// without a priority: if that pool is blocked, the actor does not answer either.
  ///
  /// - Parameters:
  ///   - actor: The actor. If the actor has a custom executor, that executor is watched.
  ///   - name: The name in findings; the actor's type by default.
  ///   - threshold: The time without an answer after which a hang is recorded.
  public convenience init(
    actor: some Actor, name: String? = nil, threshold: Duration = .seconds(2)
  ) {
    self.init(
      MS_WATCHED_ACTOR, name ?? "\(type(of: actor))", threshold,
      Beat { [weak actor] beat in
        guard let actor else { return beat() }
        Task.detached { await answer(on: actor, beat) }
      })
  }

  /// Watches an event loop, or any other executor that accepts closures.
  ///
  /// - Parameters:
  ///   - name: The name in findings.
  ///   - threshold: The time without an answer after which a hang is recorded.
  ///   - deliver: Passes the closure to the loop, which calls it once. It runs on the watch's own thread,
  ///     several times a second while the process works, and must not block.
  public convenience init(
    named name: String, threshold: Duration = .seconds(2),
    deliver: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) {
    self.init(MS_WATCHED_LOOP, name, threshold, Beat(deliver))
  }

  private init(
    _ kind: ms_watched_kind, _ name: String, _ threshold: Duration, _ beat: Beat
  ) {
    var calls = ms_watched_calls(
      ask: { context, number in
        let beat = Unmanaged<Beat>.fromOpaque(context!).takeUnretainedValue()
        beat.deliver { ms_watched_come(number) }
      },
      hold: { context in _ = Unmanaged<Beat>.fromOpaque(context!).retain() },
      let_go: { context in Unmanaged<Beat>.fromOpaque(context!).release() })
    watch = ms_watched_add(
      kind, name, max(threshold.nanoseconds, 1), &calls, Unmanaged.passUnretained(beat).toOpaque())
    CrashHandler.watchAlsoOthers()
  }

  /// Ends the watch. A hang in progress is recorded up to this time.
  public func cancel() { ms_watched_remove(watch) }

  deinit { cancel() }
}

/// The delivery of a beat to an executor.
private final class Beat: Sendable {
  let deliver: @Sendable (@escaping @Sendable () -> Void) -> Void

  init(_ deliver: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
    self.deliver = deliver
  }
}

private func answer(on actor: isolated some Actor, _ beat: @Sendable () -> Void) { beat() }
