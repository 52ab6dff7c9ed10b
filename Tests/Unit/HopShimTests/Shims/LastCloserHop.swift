// swift-format-ignore-file
// Generated; to generate it again:
// swift package --allow-writing-to-package-directory generate-hop-shim --protocol LastCloser --output Tests/Unit/HopShimTests/Shims/LastCloserHop.swift --module ShimmedProtocols

import ShimmedProtocols
import ThreadAffinity

/// Moves every call of a `LastCloser` to the main queue, in order. Holds its target weakly.
final class LastCloserHop: LastCloser, Sendable {
  /// The hop to the target; `cancel()` drops pending and later calls.
  let hop: MainHop<any LastCloser>

  /// Creates a shim for `target`, and holds it weakly.
  init(
    _ target: any LastCloser, delivery: HopDelivery = .automatic,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    function: StaticString = #function
  ) {
    hop = MainHop(
      target, "LastCloser", delivery: delivery,
      file: file, line: line, column: column, function: function)
  }

  func renamed(_ name: String) {
    hop.send { target in
      target.renamed(name)
    }
  }

  func closed() {
    hop.send { target in
      target.closed()
    }
  }

  func closedAll() {
    hop.send { target in
      target.closedAll()
    }
  }
}
