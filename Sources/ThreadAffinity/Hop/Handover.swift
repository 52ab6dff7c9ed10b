/// A value on its way to where it belongs: whoever sent it does not touch it again.
///
/// Callbacks hand over what the compiler cannot know to be handed over. This is where that is said.
public struct Handover<Value>: @unchecked Sendable {
  /// What is handed over.
  public let value: Value

  /// Hands over a value that the caller will not use any more.
  public init(_ value: Value) {
    self.value = value
  }
}
