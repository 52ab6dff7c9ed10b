import HeadlessUI

/// A member of the squad: a picture with a name below it, which can be tapped.
package final class SquadCell: View, @unchecked Sendable {
  static let size = Size(width: 12, height: 5)

  private let avatar: AsyncImageView
  private let name = Label()
  /// Who is in the cell.
  package private(set) var hero: Superhero?

  init(care: ImageCare) {
    avatar = AsyncImageView(Size(width: 12, height: 4), care: care)
    super.init(frame: Rect(origin: .zero, size: Self.size))
    name.textAlignment = .center
    addSubview(avatar)
    addSubview(name)
  }

  /// The name of whoever is in the picture.
  package var picturedName: String? { avatar.shownName }

  /// Gives the cell to a hero.
  func show(_ hero: Superhero, in surroundings: Surroundings) {
    if hero == self.hero { return }
    self.hero = hero
    name.text = hero.name
    accessibilityLabel = hero.name
    avatar.show(hero.image, of: hero.name, from: surroundings.images, surroundings.strings)
  }

  package override func sizeThatFits(_ room: Size) -> Size { Self.size }

  package override func layoutSubviews() {
    avatar.frame = Rect(x: 0, y: 0, width: frame.width, height: 4)
    name.frame = Rect(x: 0, y: 4, width: frame.width, height: 1)
  }
}
