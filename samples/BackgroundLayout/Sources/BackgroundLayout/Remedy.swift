/// What is done about callbacks that arrive while the app is in the background.
public enum Remedy: String, Sendable, Hashable, CaseIterable {
  /// Nothing: they touch the screen where they arrive. This is the bug.
  case none
  /// They hop to the main queue, and hold the screen weakly. The screen is then laid out though nobody
  /// sees it.
  case hop
  /// They hop, and what they bring is shown when the app is back in front.
  case pause
}
