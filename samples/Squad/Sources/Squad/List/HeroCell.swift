import HeadlessUI

/// A row of the list: a hero's picture, name, and how the story begins.
package final class HeroCell: TableViewCell, @unchecked Sendable {
  /// How many lines a row takes, the gap below it included.
  static let height = 4

  private let about = Label()
  private var avatar: AsyncImageView?

  package required init(reuseIdentifier: String) {
    super.init(reuseIdentifier: reuseIdentifier)
    addSubview(about)
  }

  /// The name of whoever is in the picture.
  package var picturedName: String? { avatar?.shownName }

  func show(_ hero: Superhero, in surroundings: Surroundings) {
    textLabel.text = hero.name
    about.text = hero.about
    accessibilityLabel = hero.name
    avatar(surroundings).show(
      hero.image, of: hero.name, from: surroundings.images, surroundings.strings)
  }

  package override func prepareForReuse() {
    super.prepareForReuse()
    about.text = ""
    avatar?.prepareForReuse()
  }

  package override func layoutSubviews() {
    let left = 8 + Theme.spacing
    avatar?.frame = Rect(x: 0, y: 0, width: 8, height: 3)
    textLabel.frame = Rect(x: left, y: 0, width: frame.width - left, height: 1)
    about.frame = Rect(x: left, y: 1, width: frame.width - left, height: 1)
  }

  /// Cells are made by their class alone, so that this comes with the first hero.
  private func avatar(_ surroundings: Surroundings) -> AsyncImageView {
    if let avatar { return avatar }
    let made = AsyncImageView(Size(width: 8, height: 3), care: surroundings.care)
    avatar = made
    addSubview(made)
    return made
  }
}
