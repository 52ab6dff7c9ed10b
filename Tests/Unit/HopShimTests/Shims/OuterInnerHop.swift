// swift-format-ignore-file
// Generated; to generate it again:
// swift package --allow-writing-to-package-directory generate-hop-shim --protocol Outer.Inner --output Tests/Unit/HopShimTests/Shims/OuterInnerHop.swift --module ShimmedProtocols

import ShimmedProtocols
import ThreadAffinity

/// Moves every call of a `Outer.Inner` to the main queue, in order. Holds its target weakly.
final class OuterInnerHop: Outer.Inner, Sendable {
  /// The hop to the target; `cancel()` drops pending and later calls.
  let hop: MainHop<any Outer.Inner>

  /// Creates a shim for `target`, and holds it weakly.
  init(
    _ target: any Outer.Inner, delivery: HopDelivery = .automatic,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    function: StaticString = #function
  ) {
    hop = MainHop(
      target, "Outer.Inner", delivery: delivery,
      file: file, line: line, column: column, function: function)
  }

  func inner() {
    hop.send { target in
      target.inner()
    }
  }
}
