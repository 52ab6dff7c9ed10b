// swift-format-ignore-file
// Generated; to generate it again:
// swift package --allow-writing-to-package-directory generate-hop-shim --protocol Screen --output Tests/Unit/HopShimTests/Shims/ScreenHop.swift --module ShimmedProtocols --wait name=2 --default 'name="nobody"'

import ShimmedProtocols
import ThreadAffinity

/// Moves every call of a `Screen` to the main queue, in order. Holds its target weakly.
final class ScreenHop: Screen, Sendable {
  /// The hop to the target; `cancel()` drops pending and later calls.
  nonisolated let hop: MainHop<any Screen>

  /// Creates a shim for `target`, and holds it weakly.
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
      hop.send { [newValue = HopArgument(newValue)] target in
        var target = target
        target.name = newValue.value
      }
    }
  }

  /// An argument on its way to the target: the caller must not use it afterwards.
  private struct HopArgument<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
  }
}
