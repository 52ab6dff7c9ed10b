/// A picture of characters.
public struct Image: Sendable, Hashable {
  /// What it is called, which is all that small places show.
  public let name: String
  /// Its rows of characters, from above.
  public let rows: [String]

  /// A picture drawn by hand.
  public init(name: String, rows: [String]) {
    self.name = name
    self.rows = rows
  }

  /// A picture from brightness, row by row; 0 is black, which on a screen of characters is empty.
  public init(name: String, width: Int, brightness: [UInt8]) {
    let shades = Array(" .:-=+*#%@")
    let starts = stride(from: 0, to: width > 0 ? brightness.count : 0, by: max(width, 1))
    self.init(
      name: name,
      rows: starts.map { start in
        String(
          brightness[start..<min(start + width, brightness.count)].map {
            shades[Int($0) * 10 / 256]
          })
      })
  }

  /// How large it is.
  public var size: Size { Size(width: rows.map(\.count).max() ?? 0, height: rows.count) }
}
