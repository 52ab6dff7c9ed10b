extension Bitmap {
  /// The image in braille, eight pixels a character: two across, four down.
  func braille() -> [String] {
    stride(from: 0, to: height, by: 4).map { y in
      String(
        String.UnicodeScalarView(
          stride(from: 0, to: width, by: 2).map { x in cell(x: x, y: y) }))
    }
  }

  private func cell(x: Int, y: Int) -> Unicode.Scalar {
    var dots: UInt32 = 0
    for (dot, place) in Self.dots.enumerated() {
      let (column, row) = (x + place.x, y + place.y)
      // Shades become patterns that do not depend on what was drawn before.
      let threshold = (Self.thresholds[row & 3][column & 3] + 1) / 17
      if ink(x: column, y: row) > threshold { dots |= 1 << UInt32(dot) }
    }
    return Unicode.Scalar(0x2800 + dots)!
  }

  /// Where braille's eight dots are, by their bits.
  private static let dots: [(x: Int, y: Int)] = [
    (0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3),
  ]

  /// Bayer's matrix.
  private static let thresholds: [[Double]] = [
    [0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5],
  ]
}
