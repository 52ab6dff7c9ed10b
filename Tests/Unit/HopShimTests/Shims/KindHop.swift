// swift-format-ignore-file
// Generated; to generate it again:
// swift package --allow-writing-to-package-directory generate-hop-shim --protocol Kind --output Tests/Unit/HopShimTests/Shims/KindHop.swift --module ShimmedProtocols

import ShimmedProtocols
import ThreadAffinity

/// Moves every call of a `Kind` to the main queue, in order. Holds its target weakly.
final class KindHop: Kind, Sendable {
  /// The hop to the target; `cancel()` drops pending and later calls.
  let hop: MainHop<any Kind>

  /// Creates a shim for `target`, and holds it weakly.
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

  // Keeps its default, because there is no target to call: static var kind: String { get }
}
