import Foundation

/// Where pictures come from, as a witness.
package struct ImageSource: Sendable {
  /// The picture of an address, where it is there at once.
  package var remembered: @Sendable (URL) -> Picture?
  /// Fetches a picture; the answer comes on whatever queue it likes.
  package var load: @Sendable (URL, @escaping ImageLoader.Answer) -> any Cancellable

  package init(
    remembered: @escaping @Sendable (URL) -> Picture?,
    load: @escaping @Sendable (URL, @escaping ImageLoader.Answer) -> any Cancellable
  ) {
    self.remembered = remembered
    self.load = load
  }

  /// The real one.
  package static func live(_ loader: ImageLoader) -> ImageSource {
    ImageSource(
      remembered: { loader.remembered($0) }, load: { loader.load($0, answer: $1) })
  }
}
