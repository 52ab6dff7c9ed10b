/// How far an image has come.
enum ImagePhase: Hashable, Sendable {
  /// It is on its way.
  case loading
  /// It is there.
  case success(Bitmap)
  /// It will not come.
  case failure(ImageError)
}
