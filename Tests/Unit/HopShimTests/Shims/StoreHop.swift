// swift-format-ignore-file
// Generated; to generate it again:
// swift package --allow-writing-to-package-directory generate-hop-shim --protocol Store --output Tests/Unit/HopShimTests/Shims/StoreHop.swift --module ShimmedProtocols --default putAll=0 --wait 'subscript(of:)=2'

import ShimmedProtocols
import ThreadAffinity

/// Moves every call of a `Store` to the main queue, in order. Holds its target weakly.
final class StoreHop<Target: Store>: Store, Sendable {
  typealias Key = Target.Key
  typealias Value = Target.Value

  /// The hop to the target; `cancel()` drops pending and later calls.
  let hop: MainHop<Target>

  /// Creates a shim for `target`, and holds it weakly.
  init(
    _ target: Target, delivery: HopDelivery = .automatic,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    function: StaticString = #function
  ) {
    hop = MainHop(
      target, "Store", delivery: delivery,
      file: file, line: line, column: column, function: function)
  }

  func put(_ value: Value, for key: Key) {
    hop.send { [value = HopArgument(value), key = HopArgument(key)] target in
      target.put(value.value, for: key.value)
    }
  }

  func putAll(_ pairs: [Pair], done: @escaping (Int) -> Void) {
    hop.send { [pairs = HopArgument(pairs), done = HopArgument(done)] target in
      target.putAll(pairs.value, done: done.value)
    } orElse: {
      done(0)
    }
  }

  func visit<T, U>(_ value: T, _ other: U) where T : Equatable, U : CustomStringConvertible {
    hop.send { [value = HopArgument(value), other = HopArgument(other)] target in
      target.visit(value.value, other.value)
    }
  }

  func some(_ value: some Sendable) {
    hop.send { [value = HopArgument(value)] target in
      target.some(value.value)
    }
  }

  subscript<T>(of value: T) -> Value? where T : Equatable {
    get {
      return hop.ask(within: .seconds(2), orElse: nil) { [value = HopArgument(value)] target in
        return target[of: value.value]
      }
    }
  }

  /// An argument on its way to the target: the caller must not use it afterwards.
  private struct HopArgument<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
  }
}
