/// Why there is no picture.
package enum ImageError: Error, Sendable, Hashable {
  /// It did not come.
  case remote(RemoteError)
  /// What came is no picture.
  case noPicture
}
