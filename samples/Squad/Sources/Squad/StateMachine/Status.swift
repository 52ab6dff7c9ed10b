/// How far a screen has come with what it shows.
package enum Status: Sendable, Hashable {
  /// Nothing was asked for yet.
  case idle
  /// It was asked for.
  case loading
  /// The network has answered.
  case loaded
  /// The network has not, so what is shown is from a file.
  case persisted(RemoteError)
  /// There is nothing to show.
  case error(RemoteError)
}
