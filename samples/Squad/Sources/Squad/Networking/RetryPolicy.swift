/// How often, and after how long, a failed request is made again.
package struct RetryPolicy: Sendable {
  /// How often a request is made in all.
  var attempts = 3
  /// How long it waits after the first failure; twice as long after each further one.
  var firstDelay = Duration.milliseconds(250)
  var longestDelay = Duration.seconds(8)
  /// By how much a delay is shortened, so that not all who failed together return together.
  var jitter: @Sendable () -> Double = { .random(in: 0.5...1) }

  /// The one of the app.
  package static let standard = RetryPolicy()
  /// Asks once.
  package static let never = RetryPolicy(attempts: 1)

  /// How long to wait before the next attempt; nil where there is none.
  ///
  /// - Parameter attempt: The one that failed, from 1.
  func delay(after attempt: Int, _ error: RemoteError) -> Duration? {
    guard attempt < attempts, error.isPassing else { return nil }
    // The server knows best, but nobody waits for a minute.
    if case .status(_, let wait?) = error { return wait <= longestDelay ? wait : nil }
    let grown = (1..<attempt).reduce(firstDelay) { delay, _ in min(delay * 2, longestDelay) }
    return grown * jitter()
  }
}
