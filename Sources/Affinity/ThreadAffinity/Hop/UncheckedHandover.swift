/// A value on its way to another queue: the sender must not use it afterwards.
///
/// The compiler does not check that: by creating one you promise it. Where `Sendable` or `sending`
/// works, you do not need this.
public struct UncheckedHandover<Value>: @unchecked Sendable {
  /// The value.
  public let value: Value

  /// Wraps a value that the caller will not use any more.
  public init(_ value: Value) {
    self.value = value
  }
}
