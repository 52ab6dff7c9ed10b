import HeadlessUI

extension Picture {
  /// The whole picture, as large as the room lets it be and in the middle of it: a character is twice
  /// as high as wide.
  package func image(named name: String, fitting room: Size) -> Image {
    guard room.width > 0, room.height > 0 else { return Image(name: name, rows: []) }
    let columns = max(1, min(room.width, width * 2 * room.height / height))
    let rows = max(1, min(room.height, columns * height / (2 * width)))
    let scaled = (0..<rows).flatMap { row in
      (0..<columns).map { column in
        brightness[(row * height / rows) * width + column * width / columns]
      }
    }
    return Image(name: name, width: columns, brightness: scaled).centered(in: room)
  }
}

extension Image {
  /// The same image with empty space around it, so that images of one room have one size.
  fileprivate func centered(in room: Size) -> Image {
    let left = (room.width - size.width) / 2
    let top = (room.height - size.height) / 2
    let empty = String(repeating: " ", count: room.width)
    let padded = rows.map { row in
      String(repeating: " ", count: left) + row
        + String(repeating: " ", count: room.width - left - row.count)
    }
    let below = room.height - top - rows.count
    return Image(
      name: name,
      rows: Array(repeating: empty, count: top) + padded + Array(repeating: empty, count: below))
  }
}
