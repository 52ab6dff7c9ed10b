import Synchronization

/// Names a background task of an application.
public struct BackgroundTaskIdentifier: Sendable, Hashable, Comparable {
  private let number: Int
  private static let last = Atomic(0)

  static func next() -> BackgroundTaskIdentifier {
    BackgroundTaskIdentifier(number: last.add(1, ordering: .relaxed).newValue)
  }

  /// The one that was begun earlier is the lesser.
  public static func < (one: Self, other: Self) -> Bool { one.number < other.number }
}
