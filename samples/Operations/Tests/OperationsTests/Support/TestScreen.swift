import Foundation
import HeadlessUI
import Testing

@testable import Operations

/// The screen in a window that a test sees.
@MainActor
final class TestScreen {
  let window: Window
  let controller: OperationsController

  /// - Parameter isShown: Whether the screen appears at once.
  init(
    _ engine: any ScriptRunning, height: Int = 20, source: @escaping ScriptSource = Script.bundled,
    handling: OperationsController.Handling = .onMain, clock: any FrameClock = QuickFrames(),
    atFirst: Int = 0, isShown: Bool = true
  ) {
    let ids = Numbers()
    window = Window(size: Size(width: 50, height: height), title: "Operations")
    controller = OperationsController(
      engine: engine, source: source, handling: handling, clock: clock, atFirst: atFirst,
      newID: { ids.next() })
    controller.table.view.register(
      CountingCell.self, forCellReuseIdentifier: OperationsTable.cell)
    if isShown { show() }
  }

  func show() { window.rootViewController = controller }

  var operations: [TrackedOperation] { controller.operations.operations }

  /// What is on the screen, the frame left out.
  var lines: [String] {
    window.renderedText().split(separator: "\n").dropFirst().dropLast().map { line in
      let inner = line.dropFirst().dropLast()
      return String(
        inner[..<(inner.lastIndex { $0 != " " }.map(inner.index(after:)) ?? inner.startIndex)])
    }
  }

  var text: String { lines.joined(separator: "\n") }

  func cell(_ row: Int) throws -> CountingCell {
    _ = text
    let cell = controller.table.view.cellForRow(at: IndexPath(row: row))
    return try #require(cell as? CountingCell, "no row \(row) on\n\(text)")
  }

  func tap(_ button: String) throws {
    _ = text
    try #require(window.button(button), "no button “\(button)” on\n\(text)").tap()
  }

  /// Lets the main queue go on until something holds, and gives up after a long time.
  func wait(
    for what: String, location: SourceLocation = #_sourceLocation, until holds: () -> Bool
  ) async throws {
    let end = ContinuousClock.now + .seconds(20)
    while !holds() {
      if ContinuousClock.now > end {
        try #require(holds(), "waited too long for \(what):\n\(text)", sourceLocation: location)
      }
      try await Task.sleep(for: .milliseconds(2))
    }
  }

  /// Lets everything that was sent to the main queue until now run.
  func rest() async {
    await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
  }
}
