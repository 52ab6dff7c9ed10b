// swift-format-ignore-file
// Generated; to generate it again:
// swift package --allow-writing-to-package-directory generate-hop-shim --protocol Named --module ShimmedProtocols --destination queue --output Tests/Unit/HopShimTests/Shims/NamedHop.swift

import Dispatch
import ShimmedProtocols
import ThreadAffinity

/// Moves every call of a `Named` to a queue, in order. Holds its target weakly.
final class NamedHop: Named, Sendable {
  /// The hop to the target; `cancel()` drops pending and later calls.
  let hop: QueueHop<any Named>

  /// Creates a shim for `target`, and holds it weakly.
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
