// swift-format-ignore-file
// Generated; to generate it again:
// swift package --allow-writing-to-package-directory generate-hop-shim --protocol Ticker --module ShimmedProtocols --destination queue --latest tick --default pace=0 --public --output Tests/Unit/HopShimTests/Shims/TickerHop.swift

import Dispatch
import ShimmedProtocols
import ThreadAffinity

/// Moves every call of a `Ticker` to a queue, in order. Holds its target weakly.
public final class TickerHop: Ticker, Sendable {
  /// The hop to the target; `cancel()` drops pending and later calls.
  public let hop: QueueHop<any Ticker>
  private let latestTick: @Sendable (HopArgument<Int>) -> Void

  /// Creates a shim for `target`, and holds it weakly.
  public init(
    _ target: any Ticker, to queue: DispatchQueue, delivery: HopDelivery = .automatic,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    function: StaticString = #function
  ) {
    hop = QueueHop(
      target, to: queue, "Ticker", delivery: delivery,
      file: file, line: line, column: column, function: function)
    latestTick = hop.sender(coalescing: .latest) { target, values in
      for value in values {
        let number = value.value
        target.tick(number)
      }
    }
  }

  public func tick(_ number: Int) {
    latestTick(HopArgument(number))
  }

  public func stop() {
    hop.send { target in
      target.stop()
    }
  }

  public var pace: Int {
    get {
      hop.send { target in
        _ = target.pace
      }
      return 0
    }
    set {
      hop.send { [newValue = HopArgument(newValue)] target in
        target.pace = newValue.value
      }
    }
  }

  /// An argument on its way to the target: the caller must not use it afterwards.
  private struct HopArgument<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
  }
}
