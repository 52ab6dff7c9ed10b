import HeadlessUI

/// The detail's screen, which scrolls where it is longer than the room for it.
package final class HeroDetailView: TintedView, @unchecked Sendable {
  let avatar: AsyncImageView
  let name = Label(lines: 0)
  /// Hires or fires.
  package let button: ActionButton
  /// Keeps the button in the middle.
  let buttonRow: Centered
  package let confirmation: FireConfirmation
  let squadNotice: Label
  let about = Label(lines: 0)
  let notice: Notice
  let comics: ComicsView
  private let scroll = ScrollView()
  private let stack: StackView

  init(
    avatar: AsyncImageView, button: ActionButton, confirmation: FireConfirmation, notice: Notice,
    comics: ComicsView
  ) {
    self.avatar = avatar
    self.button = button
    buttonRow = Centered(button)
    self.confirmation = confirmation
    self.notice = notice
    self.comics = comics
    squadNotice = Label(lines: 0)
    stack = StackView(
      .vertical, spacing: Theme.spacing,
      [
        avatar, name, buttonRow, confirmation, squadNotice, about, Divider(), notice, comics,
      ])
    super.init(.background)
    addSubview(scroll)
    scroll.addSubview(stack)
  }

  /// Moves the content, as a finger does.
  package func drag(by lines: Int) { scroll.drag(by: Point(x: 0, y: lines)) }

  package override func layoutSubviews() {
    scroll.frame = Rect(origin: .zero, size: frame.size)
    let size = stack.sizeThatFits(frame.size)
    scroll.contentSize = Size(width: frame.width, height: size.height)
    stack.frame = Rect(origin: .zero, size: scroll.contentSize)
    // What has become shorter is not scrolled beyond its end.
    scroll.contentOffset = scroll.limited(scroll.contentOffset)
  }
}

/// Keeps a view in the middle, no wider than it likes to be.
final class Centered: View, @unchecked Sendable {
  private let content: View

  init(_ content: View) {
    self.content = content
    super.init()
    addSubview(content)
  }

  override func sizeThatFits(_ room: Size) -> Size {
    Size(width: room.width, height: content.sizeThatFits(room).height)
  }

  override func layoutSubviews() {
    let size = content.sizeThatFits(frame.size)
    content.frame = Rect(
      x: (frame.width - size.width) / 2, y: 0, width: size.width, height: size.height)
  }
}
