/// Why an image is not shown.
enum ImageError: Error, Hashable, Sendable {
  /// The address is none that could be asked for.
  case malformedAddress
  /// It could not be fetched, and had not been saved.
  case requestFailed(NetworkError.Failure)
  /// What came is no image, or a damaged one; in the words of the library that refused it.
  case undrawable(String)
}
