// swift-format-ignore-file
// Made by a machine; to make it anew:
// swift package --allow-writing-to-package-directory generate-hop-shim --protocol Kind --output Tests/Unit/HopShimTests/Shims/KindHop.swift --module ShimmedProtocols

import ShimmedProtocols
import ThreadAffinity

/// Brings what a `Kind` is asked to the main queue, in order, to a target held weakly.
final class KindHop: Kind, Sendable {
  /// The way to the target; `cancel()` drops what is pending, and what still comes.
  let hop: MainHop<any Kind>

  /// Makes a shim for `target`, which lives as long as others hold it.
  init(
    _ target: any Kind, delivery: HopDelivery = .automatic,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    function: StaticString = #function
  ) {
    hop = MainHop(
      target, "Kind", delivery: delivery,
      file: file, line: line, column: column, function: function)
  }

  func used() {
    hop.send { target in
      target.used()
    }
  }

  // Left to its default, for there is no target to ask: static var kind: String { get }
}
