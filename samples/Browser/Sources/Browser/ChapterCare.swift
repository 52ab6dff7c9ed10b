/// What is done about chapters that come from the network.
package enum ChapterCare: Sendable, Hashable {
  /// Nothing: they are shown where they arrive. This is the bug.
  case none
  /// They hop to the main queue, to a controller that is held weakly.
  case hop
}
