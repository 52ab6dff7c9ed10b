// swift-format-ignore-file
// Generated; to generate it again:
// swift package --allow-writing-to-package-directory generate-hop-shim --protocol Panel --module ShimmedProtocols --output Tests/Unit/HopShimTests/Shims/PanelHop.swift

import ShimmedProtocols
import ThreadAffinity

/// Moves every call of a `Panel` to the main queue, in order. Holds its target weakly.
final class PanelHop: Panel, Sendable {
  /// The hop to the target; `cancel()` drops pending and later calls.
  let hop: MainHop<any Panel>

  /// Creates a shim for `target`, and holds it weakly.
  init(
    _ target: any Panel, delivery: HopDelivery = .automatic,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    function: StaticString = #function
  ) {
    hop = MainHop(
      target, "Panel", delivery: delivery,
      file: file, line: line, column: column, function: function)
  }

  @MainActor
  var title: String? {
    get {
      return hop.ask(within: .seconds(1), orElse: nil) { target in
        return target.title
      }
    }
  }

  @MainActor
  func rows(in section: Int) -> [Int] {
    return hop.ask(within: .seconds(1), orElse: []) { target in
      return target.rows(in: section)
    }
  }

  func hint() -> String? {
    hop.send { target in
      _ = target.hint()
    }
    return nil
  }

  func index() -> Set<Int> {
    hop.send { target in
      _ = target.index()
    }
    return []
  }

  func names() -> [Int : String] {
    hop.send { target in
      _ = target.names()
    }
    return [:]
  }
}
