/// Values that arithmetic which is not careful stumbles over.
enum Extremes {
  private static let numbers: [UInt64] = [
    0, 1, 7, 8, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x7fff_ffff, 0x8000_0000,
    0xffff_ffff, 1 << 53, .max >> 1, 1 << 63, (1 << 63) + 1, .max - 1, .max,
  ]

  static let texts = [
    "", "\0", "\u{1B}[2J\u{1B}]0;owned\u{07}", "a\n::error file=x::owned", "]]></failure><x",
    "</script><script>alert(1)//", "\u{202E}txt.exe", "%0A::error::owned", "\"quoted\\\"", "a\r\nb",
    String(repeating: "😀", count: 40), String(repeating: "(", count: 200),
    "/proc/self/mem", "/dev/zero", "$s4main", "arrival", "run", "drop", "main queue",
    "answers again",
    "did enter background", "99999999999999999999",
  ]

  static func number(_ random: inout SplitMix) -> UInt64 {
    numbers.randomElement(using: &random)!
  }

  /// Text, or bytes that are none.
  static func bytes(_ random: inout SplitMix) -> [UInt8] {
    if Int.random(in: 0..<4, using: &random) == 0 {
      return (0..<Int.random(in: 1...40, using: &random)).map { _ in
        UInt8.random(in: .min ... .max, using: &random)
      }
    }
    return Array(texts.randomElement(using: &random)!.utf8)
  }
}
