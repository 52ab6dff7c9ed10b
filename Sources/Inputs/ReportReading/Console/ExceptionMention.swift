/// A log line about an exception that was handled: no stack follows.
///
/// A service may log such a line very often, so the check only searches the bytes below the line.
enum ExceptionMention {
  /// Ends of exception headlines that form a report only with a stack.
  static let needles = ["Exception: ", "WithAttachments: ", "AssertionError: ", "Throwable: "]

  /// Maximum number of bytes in which a stack must follow the headline.
  private static let reach = 1536
  private static let words = needles.map { Array($0.utf8) }
  /// Beginnings of the frames of Java, .NET in several languages, Dart, Apple's systems and
  /// debuggers.
  private static let frames = Needles([
    "\tat ", "  at ", "\nat ", "   bei ", "   à ", "   en ", "   in ", "   em ", "   w ", "   в ",
    "   場所 ", "   위치: ",
    "   在 ", "   於 ", "   a ", "   v ", "   i ", "   vid ", "   ved ", "   bij ", "   konum: ",
    "#0 ", "#0\t", "#0:", "#00", " 0x", "\t0x",
    "(at Assets/", "(at <", "Caused by: ",
  ])

  /// True if the needle at `place` is an exception headline without a stack.
  static func stands(at place: UInt64, in scanner: NeedleScanner) -> Bool {
    scanner.withBytes(at: place, count: reach) { text in
      guard words.contains(where: text.starts(with:)),
        let end = text.firstIndex(of: UInt8(ascii: "\n"))
      else { return false }
      return frames.first(in: text, from: end) == nil
    }
  }
}
