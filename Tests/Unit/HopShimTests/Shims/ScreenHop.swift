// swift-format-ignore-file
// Made by a machine; to make it anew:
// swift package --allow-writing-to-package-directory generate-hop-shim --protocol Screen --output Tests/Unit/HopShimTests/Shims/ScreenHop.swift --module ShimmedProtocols --wait name=2 --default 'name="nobody"'

import ShimmedProtocols
import ThreadAffinity

/// Brings what a `Screen` is asked to the main queue, in order, to a target held weakly.
final class ScreenHop: Screen, Sendable {
  /// The way to the target; `cancel()` drops what is pending, and what still comes.
  nonisolated let hop: MainHop<any Screen>

  /// Makes a shim for `target`, which lives as long as others hold it.
  nonisolated init(
    _ target: any Screen & AnyObject, delivery: HopDelivery = .automatic,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    function: StaticString = #function
  ) {
    hop = MainHop(
      target, "Screen", delivery: delivery,
      file: file, line: line, column: column, function: function)
  }

  @MainActor
  func draw() {
    hop.send { target in
      target.draw()
    }
  }

  nonisolated func invalidate(_ number: Int) {
    hop.send { target in
      target.invalidate(number)
    }
  }

  @MainActor
  var name: String {
    get {
      return hop.ask(within: .seconds(2), orElse: "nobody") { target in
        return target.name
      }
    }
    set {
      hop.send { [newValue = UncheckedHandover(newValue)] target in
        var target = target
        target.name = newValue.value
      }
    }
  }
}
