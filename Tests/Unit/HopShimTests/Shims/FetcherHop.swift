// swift-format-ignore-file
// Generated; to generate it again:
// swift package --allow-writing-to-package-directory generate-hop-shim --protocol Fetcher --output Tests/Unit/HopShimTests/Shims/FetcherHop.swift --module ShimmedProtocols --default fetch=-1 --default 'fetchTyped=throw EditorError(code: 9)' --default 'fetchBox=Box(-1)' --default fetchOnMain=-1

import ShimmedProtocols
import ThreadAffinity

/// Moves every call of a `Fetcher` to the main queue, in order. Holds its target weakly.
final class FetcherHop: Fetcher, Sendable {
  /// The hop to the target; `cancel()` drops pending and later calls.
  let hop: MainHop<any Fetcher>

  /// Creates a shim for `target`, and holds it weakly.
  init(
    _ target: any Fetcher, delivery: HopDelivery = .automatic,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    function: StaticString = #function
  ) {
    hop = MainHop(
      target, "Fetcher", delivery: delivery,
      file: file, line: line, column: column, function: function)
  }

  func started(_ number: Int) {
    hop.send { target in
      target.started(number)
    }
  }

  func fetch(_ number: Int) async -> Int {
    return await hop.ask(orElse: .success(-1)) { target in
      return await target.fetch(number)
    }
  }

  func fetchOrThrow(_ number: Int) async throws -> String {
    return try await hop.ask(orElse: .failure(CancellationError())) { (target) async throws -> String in
      return try await target.fetchOrThrow(number)
    }
  }

  func fetchTyped(_ number: Int) async throws(EditorError) -> Int {
    return try await hop.ask(orElse: .failure(EditorError(code: 9))) { (target) async throws(EditorError) -> Int in
      return try await target.fetchTyped(number)
    }
  }

  func pause() async {
    await hop.ask(orElse: .success(())) { target in
      await target.pause()
    }
  }

  func fetchBox(_ box: Box) async -> Box {
    return await hop.ask(orElse: .success(Box(-1))) { [box = HopArgument(box)] target in
      return await target.fetchBox(box.value)
    }
  }

  @MainActor
  func fetchOnMain(_ box: Box) async -> Int {
    return await hop.ask(orElse: .success(-1)) { [box = HopArgument(box)] target in
      return await target.fetchOnMain(box.value)
    }
  }

  var count: Int {
    get async throws {
      return try await hop.ask(orElse: .failure(CancellationError())) { (target) async throws -> Int in
        return try await target.count
      }
    }
  }

  /// An argument on its way to the target: the caller must not use it afterwards.
  private struct HopArgument<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
  }
}
