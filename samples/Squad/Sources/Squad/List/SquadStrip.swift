import HeadlessUI

/// “My squad”: all members side by side, in cells that are given to others as members come and go.
package final class SquadStrip: TintedView, @unchecked Sendable {
  private let surroundings: Surroundings
  private let onTap: (Superhero) -> Void
  private let title: Label
  private let scroll = ScrollView()
  private let row = StackView(.horizontal, spacing: Theme.spacing)

  init(_ surroundings: Surroundings, onTap: @escaping (Superhero) -> Void) {
    self.surroundings = surroundings
    self.onTap = onTap
    title = Label(surroundings.strings(.squadTitle))
    super.init(.squad)
    addSubview(title)
    addSubview(scroll)
    scroll.addSubview(row)
    isHidden = true
  }

  /// The cells, from left to right.
  package var cells: [SquadCell] { row.arrangedSubviews.compactMap { $0 as? SquadCell } }

  /// Shows these members; nothing at all where there are none.
  func show(_ squad: [Superhero]) {
    for cell in cells.dropFirst(squad.count) { row.removeArrangedSubview(cell) }
    for _ in cells.count..<max(cells.count, squad.count) {
      row.addArrangedSubview(SquadCell(care: surroundings.care))
    }
    for (cell, hero) in zip(cells, squad) { cell.show(hero, in: surroundings) }
    isHidden = squad.isEmpty
  }

  /// Does what a finger does that taps a member.
  package func tapMember(at index: Int) {
    if cells.indices.contains(index), let hero = cells[index].hero { onTap(hero) }
  }

  /// Moves the strip, as a finger does.
  package func drag(by columns: Int) { scroll.drag(by: Point(x: columns, y: 0)) }

  package override func sizeThatFits(_ room: Size) -> Size {
    Size(width: room.width, height: SquadCell.size.height + 1)
  }

  package override func layoutSubviews() {
    title.frame = Rect(x: 0, y: 0, width: frame.width, height: 1)
    scroll.frame = Rect(x: 0, y: 1, width: frame.width, height: SquadCell.size.height)
    scroll.contentSize = row.sizeThatFits(scroll.frame.size)
    row.frame = Rect(origin: .zero, size: scroll.contentSize)
  }
}
