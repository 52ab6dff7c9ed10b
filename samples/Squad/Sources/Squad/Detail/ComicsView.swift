import HeadlessUI

/// The comics a hero appeared in last, side by side, with how many more there are.
package final class ComicsView: View, @unchecked Sendable {
  private let surroundings: Surroundings
  private let title: Label
  private let row = StackView(.horizontal, spacing: 2 * Theme.spacing)
  private let others = Label()

  init(_ surroundings: Surroundings) {
    self.surroundings = surroundings
    title = Label(surroundings.strings(.appearances))
    super.init()
    for view in [title, row, others] { addSubview(view) }
    isHidden = true
  }

  /// Shows these comics; nothing at all where nobody knows them yet.
  func show(_ appearances: Appearances?) {
    isHidden = appearances == nil
    guard let appearances else { return }
    for view in row.arrangedSubviews { row.removeArrangedSubview(view) }
    for comic in appearances.comics { row.addArrangedSubview(ComicCell(comic, surroundings)) }
    let strings = surroundings.strings
    others.text =
      appearances.total == 0 ? strings(.noAppearances) : strings.others(appearances.others)
  }

  package override func sizeThatFits(_ room: Size) -> Size {
    let comics = row.arrangedSubviews.isEmpty ? 0 : ComicCell.size.height
    return Size(width: room.width, height: 1 + comics + (others.text.isEmpty ? 0 : 1))
  }

  package override func layoutSubviews() {
    title.frame = Rect(x: 0, y: 0, width: frame.width, height: 1)
    let comics = row.arrangedSubviews.isEmpty ? 0 : ComicCell.size.height
    row.frame = Rect(x: 0, y: 1, width: frame.width, height: comics)
    others.frame = Rect(x: 0, y: 1 + comics, width: frame.width, height: 1)
  }
}

/// A comic: its cover, with room around it, and its title.
private final class ComicCell: View, @unchecked Sendable {
  static let size = Size(width: 18, height: 7)

  private let cover: AsyncImageView
  private let title: Label

  init(_ comic: Appearances.Comic, _ surroundings: Surroundings) {
    cover = AsyncImageView(Size(width: 12, height: 5), care: surroundings.care)
    title = Label(comic.title, lines: 2)
    super.init(frame: Rect(origin: .zero, size: Self.size))
    addSubview(cover)
    addSubview(title)
    cover.show(comic.image, of: comic.title, from: surroundings.images, surroundings.strings)
  }

  override func sizeThatFits(_ room: Size) -> Size { Self.size }

  override func layoutSubviews() {
    cover.frame = Rect(x: 1, y: 0, width: 12, height: 5)
    title.frame = Rect(x: 1, y: 5, width: frame.width - 1, height: 2)
  }
}
