/// A value, and where it comes from.
package enum Provided<Value: Sendable>: Sendable {
  /// From the network, just now.
  case fresh(Value)
  /// From a file, for the network failed so.
  case persisted(Value, RemoteError)

  package var value: Value {
    switch self {
    case .fresh(let value), .persisted(let value, _): value
    }
  }
}

extension Provided: Equatable where Value: Equatable {}
