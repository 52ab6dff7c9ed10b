/// How a process came to its end by a signal.
package struct Crash: Sendable {
  /// The signal's number.
  package var signal: Int
  /// `si_code`.
  package var code: Int
  /// The address the fault is about, where there is one.
  package var address: UInt64?
  /// Nanoseconds of the monotonic clock.
  package var monotonic: UInt64
  /// Nanoseconds since 1970.
  package var wall: UInt64
  /// The thread's ordinal.
  package var thread: Int
  package var queue: Queue?
  package var onMain: Crumb.OnMain
  package var stack: Stack
  /// What the process said of it: a fatalError's text, an exception's.
  package var text: String

  package init(
    signal: Int, code: Int, address: UInt64?, monotonic: UInt64, wall: UInt64, thread: Int,
    queue: Queue?, onMain: Crumb.OnMain, stack: Stack, text: String
  ) {
    self.signal = signal
    self.code = code
    self.address = address
    self.monotonic = monotonic
    self.wall = wall
    self.thread = thread
    self.queue = queue
    self.onMain = onMain
    self.stack = stack
    self.text = text
  }
}
