/// Where a screen gets one kind of value from, as a witness: a generic structure of one closure.
package struct Provider<Query: Sendable, Value: Sendable>: Sendable {
  /// What the outcome is handed to, on whatever queue it came.
  package typealias Answer = @Sendable (Result<Provided<Value>, RemoteError>) -> Void

  /// Asks for the value.
  package var provide: @Sendable (Query, @escaping Answer) -> any Cancellable

  package init(provide: @escaping @Sendable (Query, @escaping Answer) -> any Cancellable) {
    self.provide = provide
  }
}
