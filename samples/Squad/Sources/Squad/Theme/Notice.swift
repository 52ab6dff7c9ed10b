import HeadlessUI

/// Says that something has gone wrong, and offers to try it again.
package final class Notice: TintedView, @unchecked Sendable {
  private let label = Label(lines: 0)
  private let retry: ActionButton

  package init(_ strings: Strings, onRetry: @escaping () -> Void) {
    retry = ActionButton(strings(.retry), .accent, onTap: onRetry)
    super.init(.notice)
    addSubview(label)
    addSubview(retry)
    isHidden = true
  }

  /// Shows a text; nothing at all where there is none.
  package func show(_ text: String?) {
    label.text = text ?? ""
    isHidden = text == nil
  }

  package override func sizeThatFits(_ room: Size) -> Size {
    Size(width: room.width, height: label.sizeThatFits(room).height + 1)
  }

  package override func layoutSubviews() {
    let lines = label.sizeThatFits(frame.size).height
    label.frame = Rect(x: 0, y: 0, width: frame.width, height: lines)
    let width = retry.sizeThatFits(frame.size).width
    retry.frame = Rect(x: frame.width - width, y: lines, width: width, height: 1)
  }
}
