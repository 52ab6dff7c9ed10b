/// A color, by its parts from 0 to 255.
package struct Color: Sendable, Hashable {
  let red: UInt8
  let green: UInt8
  let blue: UInt8

  init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// What makes a terminal paint in it.
  var backgroundCode: String { "\u{1B}[48;2;\(red);\(green);\(blue)m" }
  var textCode: String { "\u{1B}[38;2;\(red);\(green);\(blue)m" }
}
