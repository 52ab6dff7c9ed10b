/// A log line about an exception that was handled: no stack follows.
///
/// A service may log one on every line; each costs a glance at the bytes below it.
enum ExceptionMention {
  /// How the headlines of exceptions end of which only a stack makes a report.
  static let needles = ["Exception: ", "WithAttachments: ", "AssertionError: ", "Throwable: "]

  /// So far below its headline a stack begins.
  private static let reach = 1536
  private static let words = needles.map { Array($0.utf8) }
  /// How the frames of Java, .NET in several languages, Dart, Apple's systems and debuggers begin.
  private static let frames = [
    "\tat ", "  at ", "\nat ", "   bei ", "   à ", "   en ", "   in ", "   em ", "   w ", "   в ",
    "   場所 ", "   위치: ",
    "   在 ", "   於 ", "   a ", "   v ", "   i ", "   vid ", "   ved ", "   bij ", "   konum: ",
    "#0", " 0x", "\t0x",
    "(at Assets/", "(at <", "Caused by: ",
  ].map { Array($0.utf8) }

  /// Whether a needle that was found at a place is such a word.
  static func stands(at place: UInt64, in bytes: FileBytes) -> Bool {
    let text = bytes.read(at: place, count: reach)
    guard words.contains(where: text.starts(with:)),
      let end = text.firstIndex(of: UInt8(ascii: "\n"))
    else { return false }
    return text[end...].withUnsafeBufferPointer { below in
      !frames.contains { mark in
        mark.withUnsafeBufferPointer { below.offset(of: $0) != nil }
      }
    }
  }
}
