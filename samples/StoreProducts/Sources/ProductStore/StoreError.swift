/// Why the store gave no answer.
public struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The reason, for people.
  public let description: String

  /// A failure for a reason.
  public init(_ description: String) { self.description = description }
}
