public import Breadcrumbs
internal import CInterposers
internal import CRecorder

/// Finds calls that block a thread which other work needs: sleeps, waits for locks and semaphores, file
/// operations, name lookups, waits for processes.
///
/// A program that links this product interposes the blocking functions of the C library. Until
/// ``report(on:longerThan:to:policy:)`` is called, the interposed functions only call the real functions.
public enum BlockingCalls {
  /// The executors whose threads must not be blocked.
  public struct Executors: OptionSet, Sendable {
    /// The raw bits of the set.
    public let rawValue: UInt32

    /// Creates a set from raw bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Swift's pool, which runs all tasks and has as many threads as there are processors.
    public static let cooperativePool = Executors(rawValue: MS_BLOCKING_POOL.rawValue)
    /// The main queue, after it has run its first work: waits of `main` before that do not block other work.
    public static let mainQueue = Executors(rawValue: MS_BLOCKING_MAIN_QUEUE.rawValue)
    /// The threads of event loops, recognized by their names: SwiftNIO's threads, and threads with a prefix of
    /// ``BlockingCalls/addEventLoops(threadNamePrefix:)``.
    public static let eventLoops = Executors(rawValue: MS_BLOCKING_EVENT_LOOPS.rawValue)
  }

  /// The effects of a call that took too long.
  public struct Policy: OptionSet, Sendable {
    /// The raw bits of the set.
    public let rawValue: UInt32

    /// Creates a set from raw bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Records a crumb with the call, its duration, the executor and the stack.
    public static let record = Policy(rawValue: MS_BLOCKING_RECORDS.rawValue)
    /// Writes one line to standard error.
    public static let log = Policy(rawValue: MS_BLOCKING_LOGS.rawValue)
    /// Writes a line to standard error, and ends the process.
    public static let trap = Policy(rawValue: MS_BLOCKING_TRAPS.rawValue)
  }

  /// The reason why calls cannot be watched.
  public struct Unavailable: Error, CustomStringConvertible {
    /// A description of the obstacle.
    public let description: String
  }

  /// Starts to report calls that take at least `threshold`, and replaces earlier settings. With `MAINSTAY=off`
  /// in the environment, a call has no effect.
  ///
  /// - Parameters:
  ///   - executors: The executors whose threads are watched.
  ///   - threshold: The duration from which a call is reported.
  ///   - recorder: The recorder for the crumbs. Keep it as long as calls are reported.
  ///   - policy: The reaction to a long call. At most twenty crumbs and lines are written per second.
  public static func report(
    on executors: Executors = [.cooperativePool, .eventLoops, .mainQueue],
    longerThan threshold: Duration = .milliseconds(5), to recorder: BreadcrumbRecorder?,
    policy: Policy = .record
  ) throws(Unavailable) {
    if ms_is_off() { return }
    var request = ms_blocking_request()
    request.places = executors.rawValue
    request.policies = policy.rawValue
    request.threshold_ns = threshold.nanoseconds
    request.log = recorder?.log
    request.note = ms_blocking_note
    var reason: UnsafePointer<CChar>?
    guard ms_blocking_begin(&request, &reason) else {
      throw Unavailable(description: reason.map { String(cString: $0) } ?? "")
    }
  }

  /// Treats threads whose names begin with `threadNamePrefix` as event loops, for as long as the process lives.
  ///
  /// SwiftNIO's threads need no such call.
  ///
  /// - Returns: False if the prefix is empty or the list is full; at most 14 prefixes fit.
  @discardableResult
  public static func addEventLoops(threadNamePrefix: String) -> Bool {
    ms_loop_threads_add(threadNamePrefix)
  }

  /// Stops reporting calls.
  public static func stop() { ms_blocking_end() }

  /// Runs code that may block this thread, without a report.
  public static func allowed<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    ms_blocking_allow()
    defer { ms_blocking_forbid() }
    return try body()
  }
}

extension Duration {
  fileprivate var nanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    let (whole, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? .max - 1 : whole &+ UInt64(attoseconds / 1_000_000_000)
  }
}
