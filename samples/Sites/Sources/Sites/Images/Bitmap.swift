/// Pixels of an image that was drawn: red, green, blue and alpha, row by row from the top.
struct Bitmap: Hashable, Sendable {
  /// How many pixels a row has.
  let width: Int
  /// How many rows there are.
  let height: Int
  /// Four bytes a pixel, colours not multiplied by alpha.
  let pixels: [UInt8]
  /// Whether it fills its frame as a photograph does, rather than be cut out as an icon is.
  private let isOpaque: Bool

  /// Takes pixels; there are four bytes for each.
  init(width: Int, height: Int, pixels: [UInt8]) {
    precondition(pixels.count == width * height * 4, "four bytes a pixel")
    self.width = width
    self.height = height
    self.pixels = pixels
    isOpaque = Self.fillsItsFrame(width: width, height: height, pixels)
  }

  /// How much ink a pixel takes, from none (0) to all (1); outside of the image none.
  ///
  /// What is white on nothing shows too, if faintly: on an opaque image white is the paper.
  func ink(x: Int, y: Int) -> Double {
    guard 0..<width ~= x, 0..<height ~= y else { return 0 }
    let pixel = pixels[((y * width + x) * 4)...]
    let start = pixel.startIndex
    let alpha = Double(pixel[start + 3]) / 255
    let light =
      (0.299 * Double(pixel[start]) + 0.587 * Double(pixel[start + 1])
        + 0.114 * Double(pixel[start + 2])) / 255
    let least = isOpaque ? 0 : 0.35
    return alpha * (least + (1 - least) * (1 - light))
  }

  /// The corners of what is drawn decide: around an image of another shape there is nothing.
  private static func fillsItsFrame(width: Int, height: Int, _ pixels: [UInt8]) -> Bool {
    func isDrawn(_ x: Int, _ y: Int) -> Bool { pixels[(y * width + x) * 4 + 3] > 0 }
    let rows = (0..<height).filter { y in (0..<width).contains { isDrawn($0, y) } }
    let columns = (0..<width).filter { x in (0..<height).contains { isDrawn(x, $0) } }
    guard let top = rows.first, let bottom = rows.last, let left = columns.first,
      let right = columns.last
    else { return false }
    return [(left, top), (right, top), (left, bottom), (right, bottom)].allSatisfy {
      pixels[($0.1 * width + $0.0) * 4 + 3] == 255
    }
  }
}
