/// Removes the layers around a report and its lines: the encoding of a mail, the markup of a page, the escape
/// sequences of a terminal, a quotation margin, the output of passed tests.
///
/// Each layer is removed at most once, in a fixed order: the result of a decoder is plain text, even if it looks
/// encoded, and hostile input cannot cause more than one pass per layer. Only margins nest.
enum TextLayers {
  /// The maximum depth of nested quotations.
  private static let mostMargins = 8

  private typealias Layer = @Sendable ([UInt8]) -> [UInt8]?

  private static let always: [Layer] = [
    { withoutMargins($0) }, { Windows1252.decoded($0) }, { withoutEscapes($0) },
    { JSONWrapping.removed(from: $0) },
  ]
  /// The order matters: all lines of a mail can be quoted, the mail can carry a page in another character set, and the
  /// page can hold the output of a terminal.
  private static let detected: [Layer] = [
    { withoutMargins($0) }, { MailText.decoded($0) }, { Windows1252.decoded($0) },
    { PageText.plain($0) }, { withoutEscapes($0) }, { WrappedLines.joined($0) },
    { PassedTests.removed(from: $0) }, { JSONWrapping.removed(from: $0) },
    { Documentation.withoutExamples($0) },
  ]

  /// - Parameter isDetected: False if the user named the format; only layers that no format contains are removed then.
  static func removed(from text: [UInt8], isDetected: Bool) -> [UInt8] {
    (isDetected ? detected : always).reduce(text) { text, layer in layer(text) ?? text }
  }

  private static func withoutEscapes(_ text: [UInt8]) -> [UInt8]? {
    text.contains(0x1b) ? LineCleaner.withoutEscapes(text) : nil
  }

  private static func withoutMargins(_ text: [UInt8]) -> [UInt8]? {
    var bare: [UInt8]?
    for _ in 0..<mostMargins {
      guard let text = Margin.removedFromAll(bare ?? text) else { break }
      bare = text
    }
    return bare
  }
}
