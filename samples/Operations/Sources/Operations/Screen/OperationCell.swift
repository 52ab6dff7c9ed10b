import HeadlessUI

/// A row: which operation it is, how it stands, and how far it has come.
open class OperationCell: TableViewCell, @unchecked Sendable {
  static let height = 2

  private let state = Label()
  let bar = AnimatedProgressView()

  /// An empty row.
  public required init(reuseIdentifier: String) {
    super.init(reuseIdentifier: reuseIdentifier)
    state.textAlignment = .right
    addSubview(state)
    addSubview(bar)
  }

  /// Shows an operation; what has not changed is left as it is.
  ///
  /// - Parameter clock: Who says when to draw the bar on its way; nil draws it where it is at once.
  open func show(_ operation: TrackedOperation, animatedBy clock: (any FrameClock)?) {
    set(operation.id.text, to: textLabel)
    set(Self.words(for: operation.state), to: state)
    bar.setProgress(Double(operation.progress) / 100, animatedBy: clock)
  }

  open override func sizeThatFits(_ room: Size) -> Size {
    Size(width: room.width, height: Self.height)
  }

  open override func layoutSubviews() {
    let idWidth = min(OperationID.length + 1, frame.width)
    textLabel.frame = Rect(x: 0, y: 0, width: idWidth, height: 1)
    state.frame = Rect(x: idWidth, y: 0, width: frame.width - idWidth, height: 1)
    bar.frame = Rect(x: 0, y: 1, width: frame.width, height: 1)
  }

  // A text that is set anew is laid out anew, though it says the same.
  private func set(_ text: String, to label: Label) {
    if label.text != text { label.text = text }
  }

  static func words(for state: TrackedOperation.State) -> String {
    switch state {
    case .waiting: "waits for the script"
    case .running: "runs"
    case .succeeded: "done"
    case .failed(.reported): "failed; tap to repeat"
    case .failed(.notStarted): "not started; tap to repeat"
    }
  }
}
