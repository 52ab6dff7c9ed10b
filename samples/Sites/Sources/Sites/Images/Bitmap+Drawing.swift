internal import CSiteImages

extension Bitmap {
  /// Draws an encoded image as large as fits; its format is known by its bytes, not by its name.
  init(
    drawing bytes: [UInt8], width: Int, height: Int
  ) throws(ImageError) {
    var pixels = [UInt8](repeating: 0, count: width * height * 4)
    var reason = [CChar](repeating: 0, count: 200)
    guard
      sites_draw_image(
        bytes, bytes.count, Int32(width), Int32(height), &pixels, &reason, reason.count)
    else {
      let text = reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      throw .undrawable(String(decoding: text, as: UTF8.self))
    }
    self.init(width: width, height: height, pixels: pixels)
  }
}
