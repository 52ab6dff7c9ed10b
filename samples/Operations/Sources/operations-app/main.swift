import Foundation
import HeadlessUI
import Operations
import SampleStage

/// Starts operations before their script is there, lets them run, starts more by taps, and has a second
/// script that is broken.
Stage.run { stage in
  let window = Window(size: Size(width: 46, height: 14), title: "Operations")
  stage.application.window = window
  let handling = stage.options.bug ? OperationsController.Handling.whereTheyCome : .onMain

  let first = OperationsController(engine: ScriptEngine(), handling: handling, atFirst: 3)
  window.rootViewController = first
  stage.application.launch()
  stage.show("The screen is there before its script: three operations wait for it.", window)

  try await stage.wait { first.operations.operations.allSatisfy { $0.progress >= 40 } }
  stage.show("The script is there too, and the operations are on their way.", window)

  try await stage.wait { first.operations.unfinished.isEmpty && !first.table.isAnimating }
  stage.show("The operations are over; one has failed.", window)

  let failed = first.operations.operations.firstIndex(where: \.hasFailed) ?? 0
  first.table.view.selectRow(at: IndexPath(row: failed))
  window.button("Start an operation")?.tap()
  try await stage.wait { first.operations.unfinished.isEmpty && !first.table.isAnimating }
  stage.show(
    "A tap on the failed row has repeated it; a tap on the button has started one more.", window)

  let story = BrokenScript()
  let second = OperationsController(
    engine: ScriptEngine(), source: story.next, handling: handling, atFirst: 1)
  window.rootViewController = second
  try await stage.wait { !second.script.isLoading }
  stage.show("Another script cannot be loaded.", window)

  window.button("Try again")?.tap()
  try await stage.wait { second.operations.unfinished.isEmpty && !second.table.isAnimating }
  stage.show("It was fixed, and loaded anew: what has waited for it was started.", window)
}
