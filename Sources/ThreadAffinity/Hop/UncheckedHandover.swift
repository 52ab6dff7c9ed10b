/// A value on its way to where it belongs: whoever sent it does not touch it again.
///
/// The compiler checks nothing of it: whoever makes one says so in its stead. What can be `Sendable`, or
/// `sending`, needs none.
public struct UncheckedHandover<Value>: @unchecked Sendable {
  /// What is handed over.
  public let value: Value

  /// Hands over a value that the caller will not use any more.
  public init(_ value: Value) {
    self.value = value
  }
}
