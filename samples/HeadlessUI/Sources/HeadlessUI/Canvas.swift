/// A part of a screen of characters, to draw on; what falls outside of it is cut off.
///
/// Each character takes one column: wide ones, as of Chinese, are not known to be wide.
public struct Canvas {
  private final class Screen {
    var rows: [[Character]]

    init(_ size: Size) {
      rows = Array(repeating: Array(repeating: " ", count: size.width), count: size.height)
    }
  }

  private let screen: Screen
  private let origin: Point
  private let clip: Rect
  /// How much room there is.
  public let size: Size

  /// An empty screen.
  public init(size: Size) {
    screen = Screen(size)
    origin = .zero
    clip = Rect(origin: .zero, size: size)
    self.size = size
  }

  private init(_ screen: Screen, origin: Point, clip: Rect, size: Size) {
    self.screen = screen
    self.origin = origin
    self.clip = clip
    self.size = size
  }

  /// A rectangle of this canvas as a canvas of its own.
  public func part(_ rect: Rect) -> Canvas {
    let placed = rect.offset(by: origin)
    return Canvas(
      screen, origin: placed.origin, clip: clip.intersection(placed), size: rect.size)
  }

  /// The same canvas, drawn on from another origin.
  public func moved(by point: Point) -> Canvas {
    Canvas(
      screen, origin: Point(x: origin.x + point.x, y: origin.y + point.y), clip: clip, size: size)
  }

  /// Draws one character.
  public func draw(_ character: Character, at point: Point) {
    let x = origin.x + point.x
    let y = origin.y + point.y
    guard x >= clip.minX, x < clip.maxX, y >= clip.minY, y < clip.maxY else { return }
    screen.rows[y][x] = character
  }

  /// Draws a line of text from a point to the right.
  public func draw(_ text: some StringProtocol, at point: Point) {
    for (column, character) in text.enumerated() {
      draw(character, at: Point(x: point.x + column, y: point.y))
    }
  }

  /// Draws one character everywhere.
  public func fill(_ character: Character) {
    for y in 0..<size.height {
      for x in 0..<size.width { draw(character, at: Point(x: x, y: y)) }
    }
  }

  /// Draws a box along the edges, with a title in the upper one.
  public func drawBox(title: String = "") {
    guard size.width >= 2, size.height >= 2 else { return }
    let line = String(repeating: "─", count: size.width - 2)
    draw("┌\(line)┐", at: .zero)
    for y in 1..<(size.height - 1) {
      draw("│", at: Point(y: y))
      draw("│", at: Point(x: size.width - 1, y: y))
    }
    draw("└\(line)┘", at: Point(y: size.height - 1))
    if !title.isEmpty {
      draw(" \(title.prefix(max(0, size.width - 6))) ", at: Point(x: 2))
    }
  }

  /// What was drawn on the whole screen, a line each row, without spaces at the ends.
  public var text: String {
    screen.rows.map { row in
      String(row[..<((row.lastIndex { $0 != " " } ?? -1) + 1)])
    }.joined(separator: "\n")
  }
}
