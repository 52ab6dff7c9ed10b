import HeadlessUI

/// The colors of a screen, character by character: what lies under its text.
package struct ScreenColors {
  private var rows: [[Tint]]

  /// The colors of a view and of all that is shown in it.
  package init(of view: View) {
    let size = view.frame.size
    rows = Array(repeating: Array(repeating: .background, count: size.width), count: size.height)
    paint(view, at: .zero, in: Rect(origin: .zero, size: size))
  }

  /// A letter for each character's tint, a line each row.
  package var text: String { rows.map { String($0.map(\.rawValue)) }.joined(separator: "\n") }

  /// A rendered text in these colors, for a terminal that has them.
  package func painted(_ text: String, in theme: Theme) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return rows.enumerated().map { index, row in
      let line = index < lines.count ? Array(lines[index]) : []
      var painted = theme.text.textCode
      for (column, tint) in row.enumerated() {
        if column == 0 || row[column - 1] != tint {
          painted += theme.color(of: tint).backgroundCode
        }
        painted.append(column < line.count ? line[column] : " ")
      }
      return painted + "\u{1B}[0m"
    }.joined(separator: "\n")
  }

  private mutating func paint(_ view: View, at origin: Point, in clip: Rect) {
    if view.isHidden { return }
    let place = Rect(origin: origin, size: view.frame.size)
    let seen = clip.intersection(place)
    if let tint = (view as? any Tinted)?.tint { fill(seen, with: tint) }
    let inner = view.isBordered ? seen.intersection(place.inset(by: Insets(all: 1))) : seen
    for child in view.subviews {
      let start = Point(
        x: origin.x + child.frame.minX - view.bounds.minX,
        y: origin.y + child.frame.minY - view.bounds.minY)
      paint(child, at: start, in: inner)
    }
  }

  private mutating func fill(_ rect: Rect, with tint: Tint) {
    for y in rect.minY..<max(rect.minY, rect.maxY) {
      for x in rect.minX..<max(rect.minX, rect.maxX) { rows[y][x] = tint }
    }
  }
}
