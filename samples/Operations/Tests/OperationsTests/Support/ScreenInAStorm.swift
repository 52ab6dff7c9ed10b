import AffinityTesting
import Foundation
import HeadlessUI
import Synchronization
import Testing

@testable import Operations

/// The screen as an engine sees it, with three operations under way.
@MainActor
final class ScreenInAStorm {
  private let engine = HeldEngine(loadsAtOnce: true)
  private let screen: TestScreen

  init(_ handling: OperationsController.Handling) {
    screen = TestScreen(engine, handling: handling, atFirst: 3)
    _ = screen.text
  }

  /// Posts what an operation of the three says, from wherever this is called.
  nonisolated func post(_ message: (String) -> ScriptMessage, of number: Int) {
    engine.post(message("op-\(number % 3 + 1)"))
  }

  nonisolated func `throw`() { engine.throw(ScriptError(message: "lost")) }

  /// Whether each row shows its operation, with nothing under way any more.
  nonisolated var isRight: Bool {
    MainActor.assumeIsolated {
      _ = screen.text
      return screen.operations.enumerated().allSatisfy { row, operation in
        let place = IndexPath(row: row)
        guard let cell = screen.controller.table.view.cellForRow(at: place) as? OperationCell
        else { return false }
        return cell.bar.target == Double(operation.progress) / 100
          && cell.renderedText().contains(OperationCell.words(for: operation.state))
      }
    }
  }
}
