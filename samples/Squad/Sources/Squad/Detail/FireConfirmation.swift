import HeadlessUI

/// Asks whether a hero should really be fired.
package final class FireConfirmation: TintedView, @unchecked Sendable {
  private let question: Label
  /// Fires.
  package let fire: ActionButton
  /// Lets the hero stay.
  package let cancel: ActionButton

  init(
    _ strings: Strings, of hero: Superhero, onFire: @escaping () -> Void,
    onCancel: @escaping () -> Void
  ) {
    question = Label(strings(.confirmFire, hero.name), lines: 0)
    fire = ActionButton(strings(.fire), .danger, onTap: onFire)
    cancel = ActionButton(strings(.cancel), .accent, onTap: onCancel)
    super.init(.notice)
    for view in [question, fire, cancel] { addSubview(view) }
    isHidden = true
  }

  package override func sizeThatFits(_ room: Size) -> Size {
    Size(width: room.width, height: question.sizeThatFits(room).height + 1)
  }

  package override func layoutSubviews() {
    let lines = question.sizeThatFits(frame.size).height
    question.frame = Rect(x: 0, y: 0, width: frame.width, height: lines)
    var right = frame.width
    for button in [cancel, fire] {
      let width = button.sizeThatFits(frame.size).width
      right -= width
      button.frame = Rect(x: right, y: lines, width: width, height: 1)
      right -= Theme.spacing
    }
  }
}
