// swift-format-ignore-file
// Made by a machine; to make it anew:
// swift package --allow-writing-to-package-directory generate-hop-shim --protocol Named --module ShimmedProtocols --destination queue --output Tests/Unit/HopShimTests/Shims/NamedHop.swift

import Dispatch
import ShimmedProtocols
import ThreadAffinity

/// Brings what a `Named` is asked to a queue, in order, to a target held weakly.
final class NamedHop: Named, Sendable {
  /// The way to the target; `cancel()` drops what is pending, and what still comes.
  let hop: QueueHop<any Named>

  /// Makes a shim for `target`, which lives as long as others hold it.
  init(
    _ target: any Named, to queue: DispatchQueue, delivery: HopDelivery = .automatic,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    function: StaticString = #function
  ) {
    hop = QueueHop(
      target, to: queue, "Named", delivery: delivery,
      file: file, line: line, column: column, function: function)
  }

  func renamed(_ name: String) {
    hop.send { target in
      target.renamed(name)
    }
  }
}
