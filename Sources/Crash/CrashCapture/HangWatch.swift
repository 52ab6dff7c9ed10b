internal import CCrashHandler
import Dispatch

/// A watch over something that runs what it is handed: a queue, an actor, an event loop. If it does not answer
/// for longer than a threshold, a hang is recorded, with the stack of the thread that holds it.
///
///     let watch = HangWatch(named: "connections 1") { beat in
///       eventLoop.execute { beat() }
///     }
///
/// It watches while the crash handler is installed, from the first answer on, and ends with its value, or when
/// it is cancelled. The main queue and the pools of Swift's tasks need none: ``CrashOptions`` has their
/// thresholds. There can be twenty-six at a time; one more watches nothing.
public final class HangWatch: Sendable {
  private let watch: UInt64

  /// Watches a serial queue, which lives for as long as its watch.
  ///
  /// - Parameters:
  ///   - queue: A queue that runs one thing at a time.
  ///   - name: What findings call it; its label by default.
  ///   - threshold: After how long without an answer a hang is recorded.
  public convenience init(
    queue: DispatchQueue, name: String? = nil, threshold: Duration = .seconds(2)
  ) {
    self.init(
      MS_WATCHED_QUEUE, name ?? queue.label, threshold,
      Beat { beat in queue.async(execute: DispatchWorkItem(block: beat)) })
  }

  /// Watches an actor, which may go meanwhile. A beat comes to it through the pool of tasks without a priority
  /// of their own: where that is blocked, the actor does not answer either.
  ///
  /// - Parameters:
  ///   - actor: The actor, or the executor that it brings with it.
  ///   - name: What findings call it; its type by default.
  ///   - threshold: After how long without an answer a hang is recorded.
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

  /// Watches an event loop, or whatever else can be handed work.
  ///
  /// - Parameters:
  ///   - name: What findings call it.
  ///   - threshold: After how long without an answer a hang is recorded.
  ///   - deliver: Hands the closure to the loop, which is to call it once. This runs on the watch's own
  ///     thread, several times a second while the process works, and must not wait.
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

  /// Ends the watch. A hang that goes on then is recorded as far as it was seen.
  public func cancel() { ms_watched_remove(watch) }

  deinit { cancel() }
}

/// How one beat is handed over.
private final class Beat: Sendable {
  let deliver: @Sendable (@escaping @Sendable () -> Void) -> Void

  init(_ deliver: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
    self.deliver = deliver
  }
}

private func answer(on actor: isolated some Actor, _ beat: @Sendable () -> Void) { beat() }
