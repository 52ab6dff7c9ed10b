internal import CRecorder

/// A stream of events from any thread to a loop that awaits them, in the order in which they were sent.
///
///     let progress = EventStream<Double>("progress")
///     downloader.onProgress { progress.send($0) }
///     for await fraction in progress.events { view.show(fraction) }
///
/// Sending never blocks: a bounded buffer keeps the events that the loop has not read yet.
public final class EventStream<Event>: Sendable {
  private let queue: EventQueue<Event>

  /// Creates a stream that buffers events for its loop.
  @inline(never)
  public init(
    _ name: StaticString = "events", keeping buffer: EventBuffer = .newest(64),
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    function: StaticString = #function
  ) {
    let site = CallSite(file: file, line: line, column: column, function: function)
    self.queue = EventQueue(HopLabel(name, site, 0), keeping: buffer)
  }

  // No sender remains, so the loops end after the buffered events.
  deinit { queue.finish() }

  /// Sends an event.
  ///
  /// - Returns: `false` if the event was dropped, because the buffer is full or the stream has ended.
  @inline(never)
  @discardableResult
  public func send(_ event: sending Event) -> Bool {
    queue.take(UncheckedHandover(event), from: ms_caller())
  }

  /// Ends the loop after all earlier events are delivered.
  public func finish() { queue.finish() }

  /// Ends the loop and drops the buffered events; no event is delivered after this call.
  public func cancel() { queue.cancel() }

  /// The number of events that the full buffer dropped.
  public var dropped: Int { queue.dropped }

  /// The events, for one loop or several. Each event goes to one loop.
  ///
  /// A loop ends when the stream ends or when its task is cancelled. Other loops go on after a cancellation.
  public var events: Events { Events(queue: queue) }

  /// The events of a stream.
  public struct Events: AsyncSequence, Sendable {
    /// The stream throws no errors.
    public typealias Failure = Never

    fileprivate let queue: EventQueue<Event>

    /// Creates the iterator of a loop.
    public func makeAsyncIterator() -> Iterator { Iterator(queue: queue) }

    /// The iterator of a loop over events.
    public struct Iterator: AsyncIteratorProtocol {
      fileprivate let queue: EventQueue<Event>

      /// Waits for the next event, and records that it arrives here, inside the caller's actor.
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async -> Event? {
        let queue = queue
        let waiting = queue.newWaiting()
        let item = await withTaskCancellationHandler(
          operation: { await withUnsafeContinuation { queue.wait(waiting, $0) } },
          onCancel: { queue.withdraw(waiting) }, isolation: actor)
        return queue.open(item)?.value
      }

      #if !compiler(>=6.2)
        /// A requirement of compilers before 6.2. Loops call `next(isolation:)`.
        public mutating func next() async -> Event? { await next(isolation: nil) }
      #endif
    }
  }
}

/// The capacity of a stream's buffer, and the events that are dropped if the buffer is full.
public enum EventBuffer: Sendable {
  /// The given number of newest events; older ones are dropped.
  case newest(Int)
  /// The given number of oldest events; newer ones are dropped.
  case oldest(Int)

  var limit: Int {
    switch self {
    case .newest(let limit), .oldest(let limit): max(1, limit)
    }
  }
}
