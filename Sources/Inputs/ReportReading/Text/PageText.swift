/// Extracts the text of an HTML page or mail: block tags become line ends, and other tags are
/// dropped.
enum PageText {
  /// - Returns: nil if the text is no HTML.
  static func plain(_ text: [UInt8]) -> [UInt8]? {
    let head = String(decoding: text.prefix(1 << 14), as: UTF8.self).lowercased()
    guard
      ["<html", "<body", "<!doctype html", "content-type: text/html"].contains(
        where: head.contains)
    else { return nil }
    var plain: [UInt8] = []
    plain.reserveCapacity(text.count)
    var at = 0
    var hasTags = false
    while at < text.count {
      guard text[at] == UInt8(ascii: "<"), let tag = tag(text, from: at) else {
        plain.append(text[at])
        at += 1
        continue
      }
      hasTags = true
      // A source line may end directly after the tag.
      if lines.contains(tag.name), tag.end < text.count, text[tag.end] != 10 { plain.append(10) }
      at = tag.end
    }
    return hasTags ? Array(LineCleaner.clean(plain[...])) : nil
  }

  private static let lines: Set<String> = [
    "br", "p", "div", "tr", "li", "pre", "h1", "h2", "h3", "h4", "blockquote", "table", "body",
    "head",
  ]
  private static let others: Set<String> = [
    "html", "span", "b", "i", "u", "a", "em", "strong", "code", "font", "td", "th", "ul", "ol",
    "img", "hr", "tt",
    "tbody", "thead", "title", "meta", "link", "style", "small", "s", "mark", "samp", "kbd",
    "center", "!doctype",
  ]

  /// The tag at `start` and the index of its end; nil for any other text in angle brackets.
  private static func tag(_ text: [UInt8], from start: Int) -> (name: String, end: Int)? {
    let rest = text[(start + 1)...].prefix(512)
    guard let close = rest.firstIndex(of: UInt8(ascii: ">")) else { return nil }
    let inner = String(decoding: rest[..<close], as: UTF8.self)
    let name = inner.drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber || $0 == "!" }
      .lowercased()
    guard lines.contains(name) || others.contains(name) else { return nil }
    return (name, close + 1)
  }
}
