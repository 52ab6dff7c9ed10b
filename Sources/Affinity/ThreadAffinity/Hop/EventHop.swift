internal import CRecorder

/// Brings events from wherever they come to a loop that awaits them, in the order they were sent.
///
///     let hop = EventHop<Double>("progress")
///     downloader.onProgress { hop.send($0) }
///     for await fraction in hop.events { view.show(fraction) }
///
/// Sending never waits: events that the loop has not come to yet are kept, up to a bound.
public final class EventHop<Event>: Sendable {
  private let line: EventLine<Event>

  /// Creates a hop that keeps events for a loop that has not come to them yet.
  @inline(never)
  public init(
    _ name: StaticString = "events", keeping buffer: HopBuffer = .newest(64),
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    function: StaticString = #function
  ) {
    let site = CallSite(file: file, line: line, column: column, function: function)
    self.line = EventLine(HopLabel(name, site, 0), keeping: buffer)
  }

  // No sender is left.
  deinit { line.finish() }

  /// Sends an event.
  ///
  /// - Returns: Whether it is on its way; `false` if there was no room for it, or the hop has ended.
  @inline(never)
  @discardableResult
  public func send(_ event: sending Event) -> Bool {
    line.take(UncheckedHandover(event), from: ms_caller())
  }

  /// Ends the loop, once it has come to all that was sent.
  public func finish() { line.finish() }

  /// Ends the loop and drops its pending events; no event begins after this returns.
  public func cancel() { line.cancel() }

  /// How many events there was no room for.
  public var dropped: Int { line.dropped }

  /// The events, for one loop or for several, of which each event then comes to one.
  ///
  /// A loop ends with the hop, and with its own task: one that is cancelled gets no more events, and leaves
  /// the hop to others.
  public var events: Events { Events(line: line) }

  /// The events of a hop.
  public struct Events: AsyncSequence, Sendable {
    /// Events come without errors.
    public typealias Failure = Never

    fileprivate let line: EventLine<Event>

    /// Creates what a loop takes events from.
    public func makeAsyncIterator() -> Iterator { Iterator(line: line) }

    /// The iterator of a loop over events.
    public struct Iterator: AsyncIteratorProtocol {
      fileprivate let line: EventLine<Event>

      /// Waits for the next event, and records that it arrives here, inside the caller's actor.
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async -> Event? {
        let line = line
        let waiting = line.newWaiting()
        let item = await withTaskCancellationHandler(
          operation: { await withUnsafeContinuation { line.wait(waiting, $0) } },
          onCancel: { line.withdraw(waiting) }, isolation: actor)
        return line.open(item)?.value
      }

      #if !compiler(>=6.2)
        /// Compilers before 6.2 require this method. Loops call the other one.
        public mutating func next() async -> Event? { await next(isolation: nil) }
      #endif
    }
  }
}

/// The buffer of an event hop for a loop that has not read the events yet.
public enum HopBuffer: Sendable {
  /// The newest events, so many of them; older ones are dropped.
  case newest(Int)
  /// The oldest events, so many of them; newer ones are dropped.
  case oldest(Int)

  var limit: Int {
    switch self {
    case .newest(let limit), .oldest(let limit): max(1, limit)
    }
  }
}
