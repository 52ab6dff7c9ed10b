// swift-format-ignore-file
// Generated; to generate it again:
// swift package --allow-writing-to-package-directory generate-hop-shim --protocol Feed --output Tests/Unit/HopShimTests/Shims/FeedHop.swift --module ShimmedProtocols

import ShimmedProtocols
import ThreadAffinity

#if compiler(>=6.2)
/// The targets of `FeedHop`: their conformance must not be isolated to an actor.
typealias FeedHopTarget = Feed & SendableMetatype
#else
typealias FeedHopTarget = Feed
#endif

/// Moves every call of a `Feed` to the main queue, in order. Holds its target weakly.
final class FeedHop<Target: FeedHopTarget>: Feed, Sendable {
  typealias Row = Target.Row

  /// The hop to the target; `cancel()` drops pending and later calls.
  let hop: MainHop<Target>

  /// Creates a shim for `target`, and holds it weakly.
  init(
    _ target: Target, delivery: HopDelivery = .automatic,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    function: StaticString = #function
  ) {
    hop = MainHop(
      target, "Feed", delivery: delivery,
      file: file, line: line, column: column, function: function)
  }

  func rows(from first: Int) async throws -> [Row] {
    return try await hop.ask(orElse: .failure(CancellationError())) { (target) async throws -> [Row] in
      return try await target.rows(from: first)
    }
  }

  func mark(_ row: Row) async {
    await hop.ask(orElse: .success(())) { [row = HopArgument(row)] target in
      await target.mark(row.value)
    }
  }

  var newest: Row? {
    get async {
      return await hop.ask(orElse: .success(nil)) { target in
        return await target.newest
      }
    }
  }

  /// An argument on its way to the target: the caller must not use it afterwards.
  private struct HopArgument<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
  }
}
