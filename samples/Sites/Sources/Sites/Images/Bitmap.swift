/// Pixels of an image that was drawn: red, green, blue and alpha, row by row from the top.
public struct Bitmap: Hashable, Sendable {
  /// How many pixels a row has.
  public let width: Int
  /// How many rows there are.
  public let height: Int
  /// Four bytes a pixel, colours not multiplied by alpha.
  public let pixels: [UInt8]

  /// Takes pixels; there are four bytes for each.
  public init(width: Int, height: Int, pixels: [UInt8]) {
    precondition(pixels.count == width * height * 4, "four bytes a pixel")
    self.width = width
    self.height = height
    self.pixels = pixels
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

  private var isOpaque: Bool {
    // The corners tell an icon that was cut out from a picture that fills its frame.
    let corners = [0, width - 1, (height - 1) * width, height * width - 1]
    return corners.allSatisfy { pixels[$0 * 4 + 3] == 255 }
  }
}
