// swift-format-ignore-file
// Generated; to generate it again:
// swift package --allow-writing-to-package-directory generate-hop-shim --protocol Counter --output Tests/Unit/HopShimTests/Shims/CounterHop.swift --module ShimmedProtocols --wait last=2 --default last=0 --wait total=2 --default total=0

import ShimmedProtocols
import ThreadAffinity

/// Moves every call of a `Counter` to the main queue, in order. Holds its target weakly.
final class CounterHop: Counter, Sendable {
  /// The hop to the target; `cancel()` drops pending and later calls.
  let hop: MainHop<any Counter>

  /// Creates a shim for `target`, and holds it weakly.
  init(
    _ target: any Counter & AnyObject, delivery: HopDelivery = .automatic,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    function: StaticString = #function
  ) {
    hop = MainHop(
      target, "Counter", delivery: delivery,
      file: file, line: line, column: column, function: function)
  }

  func count(_ number: Int) {
    hop.send { target in
      var target = target
      target.count(number)
    }
  }

  var last: Int {
    get {
      return hop.ask(within: .seconds(2), orElse: 0) { target in
        return target.last
      }
    }
    set {
      hop.send { [newValue = HopArgument(newValue)] target in
        var target = target
        target.last = newValue.value
      }
    }
  }

  var total: Int {
    get {
      return hop.ask(within: .seconds(2), orElse: 0) { target in
        return target.total
      }
    }
    set {
      hop.send { [newValue = HopArgument(newValue)] target in
        target.total = newValue.value
      }
    }
  }

  /// An argument on its way to the target: the caller must not use it afterwards.
  private struct HopArgument<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
  }
}
