// swift-format-ignore-file
// Made by a machine; to make it anew:
// swift package --allow-writing-to-package-directory generate-hop-shim --protocol Store --output Tests/HopShimTests/Shims/StoreHop.swift --module ShimmedProtocols --default putAll=0 --wait 'subscript(of:)=2'

import ShimmedProtocols
import ThreadAffinity

/// Brings what a `Store` is asked to the main queue, in order, to a target held weakly.
final class StoreHop<Target: Store>: Store, Sendable {
  typealias Key = Target.Key
  typealias Value = Target.Value

  /// The way to the target; `cancel()` drops what is pending, and what still comes.
  let hop: MainHop<Target>

  /// Makes a shim for `target`, which lives as long as others hold it.
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
    let passed = Handover((value, key))
    hop.send { target in
      let (value, key) = passed.value
      target.put(value, for: key)
    }
  }

  func putAll(_ pairs: [Pair], done: @escaping (Int) -> Void) {
    let passed = Handover((pairs, done))
    hop.send { target in
      let (pairs, done) = passed.value
      target.putAll(pairs, done: done)
    } orElse: {
      done(0)
    }
  }

  func visit<T, U>(_ value: T, _ other: U) where T : Equatable, U : CustomStringConvertible {
    let passed = Handover((value, other))
    hop.send { target in
      let (value, other) = passed.value
      target.visit(value, other)
    }
  }

  func some(_ value: some Sendable) {
    let passed = Handover(value)
    hop.send { target in
      let value = passed.value
      target.some(value)
    }
  }

  subscript<T>(of value: T) -> Value? where T : Equatable {
    get {
      let passed = Handover(value)
      return hop.answer(within: .seconds(2), or: nil) { target in
        let value = passed.value
        return target[of: value]
      }
    }
  }
}
