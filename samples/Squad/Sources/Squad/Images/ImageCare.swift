/// What a view does so that pictures do not go crazy; all of it is the fix, none of it the bug.
package struct ImageCare: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// Pictures are brought to the main queue before anything is touched.
  package static let hops = ImageCare(rawValue: 1)
  /// A picture that was asked for before the view was given to another hero is left alone.
  package static let checksTokens = ImageCare(rawValue: 2)
  /// What nobody waits for any more is not fetched to its end.
  package static let cancels = ImageCare(rawValue: 4)

  /// The whole fix.
  package static let full: ImageCare = [.hops, .checksTokens, .cancels]
}
