// swift-format-ignore-file
// Made by a machine; to make it anew:
// swift package --allow-writing-to-package-directory generate-hop-shim --protocol LastCloser --output Tests/Unit/HopShimTests/Shims/LastCloserHop.swift --module ShimmedProtocols

import ShimmedProtocols
import ThreadAffinity

/// Brings what a `LastCloser` is asked to the main queue, in order, to a target held weakly.
final class LastCloserHop: LastCloser, Sendable {
  /// The way to the target; `cancel()` drops what is pending, and what still comes.
  let hop: MainHop<any LastCloser>

  /// Makes a shim for `target`, which lives as long as others hold it.
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
