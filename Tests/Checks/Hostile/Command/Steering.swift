/// Characters that would steer a terminal, and have no place in a text.
enum Steering {
  /// The first of them.
  static func first(in bytes: some Collection<UInt8>) -> String? {
    var before: (UInt8, UInt8) = (0, 0)
    for (place, byte) in bytes.enumerated() {
      // Controls of C0, of C1, and the marks that turn the direction of writing.
      let isSteering =
        byte < 0x20 && byte != 0x0a || byte == 0x7f
        || before.1 == 0xc2 && (0x80..<0xa0).contains(byte)
        || before == (0xe2, 0x80) && (0xaa...0xae).contains(byte)
      if isSteering { return "byte \(byte) at \(place)" }
      before = (before.1, byte)
    }
    return nil
  }
}
