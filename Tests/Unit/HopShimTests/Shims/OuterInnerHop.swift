// swift-format-ignore-file
// Made by a machine; to make it anew:
// swift package --allow-writing-to-package-directory generate-hop-shim --protocol Outer.Inner --output Tests/Unit/HopShimTests/Shims/OuterInnerHop.swift --module ShimmedProtocols

import ShimmedProtocols
import ThreadAffinity

/// Brings what a `Outer.Inner` is asked to the main queue, in order, to a target held weakly.
final class OuterInnerHop: Outer.Inner, Sendable {
  /// The way to the target; `cancel()` drops what is pending, and what still comes.
  let hop: MainHop<any Outer.Inner>

  /// Makes a shim for `target`, which lives as long as others hold it.
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
