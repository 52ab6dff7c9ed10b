import HeadlessUI

/// The list's screen: what went wrong, the squad, the heroes, and how far the list has come.
package final class HeroListView: TintedView, @unchecked Sendable {
  package let notice: Notice
  package let strip: SquadStrip
  package let table = TableView()
  /// What is said about the list as a whole, or about its end.
  package let footer = Label()
  private let divider = Divider()

  init(notice: Notice, strip: SquadStrip) {
    self.notice = notice
    self.strip = strip
    super.init(.background)
    for view in [notice, strip, divider, table, footer] { addSubview(view) }
  }

  package override func layoutSubviews() {
    divider.isHidden = strip.isHidden
    var top = 0
    for view in [notice, strip, divider] as [View] where !view.isHidden {
      let height = view.sizeThatFits(frame.size).height
      view.frame = Rect(x: 0, y: top, width: frame.width, height: height)
      top += height
    }
    let bottom = frame.height - (footer.text.isEmpty ? 0 : 1)
    table.frame = Rect(x: 0, y: top, width: frame.width, height: max(0, bottom - top))
    footer.frame = Rect(x: 0, y: bottom, width: frame.width, height: frame.height - bottom)
  }
}
