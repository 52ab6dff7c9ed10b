import HeadlessUI

/// The screen: how the script stands, what to do, and the table.
public final class OperationsView: StackView, @unchecked Sendable {
  /// How the script stands.
  let script = Label(lines: 3)
  /// What was posted and ignored.
  let ignored = Label()
  /// Loads the script anew.
  let retry = Button("Try again")
  /// Starts one more operation.
  let start = Button("Start an operation")

  init(_ table: TableView) {
    super.init()
    script.accessibilityLabel = "script"
    ignored.accessibilityLabel = "ignored"
    retry.isHidden = true
    ignored.isHidden = true
    for view in [script, retry, start, ignored, table] { addArrangedSubview(view) }
    distribution = .fill
  }

  func show(_ state: ScriptState) {
    script.text = state.words
    retry.isHidden = !state.canRetry
  }

  /// Says how many messages have changed nothing, and what was wrong with the last.
  func showIgnored(_ count: Int, last: IgnoredMessage) {
    ignored.text = "\(count) ignored, the last was \(last)"
    ignored.isHidden = false
  }
}
