// swift-format-ignore-file
// Made by a machine; to make it anew:
// swift package --allow-writing-to-package-directory generate-hop-shim --protocol Counter --output Tests/Unit/HopShimTests/Shims/CounterHop.swift --module ShimmedProtocols --wait last=2 --default last=0 --wait total=2 --default total=0

import ShimmedProtocols
import ThreadAffinity

/// Brings what a `Counter` is asked to the main queue, in order, to a target held weakly.
final class CounterHop: Counter, Sendable {
  /// The way to the target; `cancel()` drops what is pending, and what still comes.
  let hop: MainHop<any Counter>

  /// Makes a shim for `target`, which lives as long as others hold it.
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
      hop.send { [newValue = UncheckedHandover(newValue)] target in
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
      hop.send { [newValue = UncheckedHandover(newValue)] target in
        target.total = newValue.value
      }
    }
  }
}
