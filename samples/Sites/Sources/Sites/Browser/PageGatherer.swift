import Foundation

/// Gathers what a person reads on a page, while its elements go by.
final class PageGatherer {
  private let base: URL
  private var title: String?
  private var blocks: [WebPage.Block] = []
  private var links: [URL] = []
  private var kind = WebPage.Block.Kind.paragraph
  private var text = ""
  private var isInTitle = false
  /// Where the links that are open lead.
  private var openLinks: [URL?] = []

  init(base: URL) { self.base = base }

  static func at(_ context: UnsafeMutableRawPointer?) -> PageGatherer {
    Unmanaged<PageGatherer>.fromOpaque(context!).takeUnretainedValue()
  }

  /// The page, once all has gone by.
  func page() -> WebPage {
    startBlock(.paragraph)
    return WebPage(title: title, blocks: blocks, links: links)
  }

  /// - Returns: Whether a person reads what is in the element.
  func begin(_ element: String, link: String?) -> Bool {
    switch element {
    case "script", "style", "template", "noscript": return false
    case "title": isInTitle = true
    case "br": text += "\n"
    case "a": openLinks.append(link.flatMap(address))
    default: if let kind = Self.kinds[element] { startBlock(kind) }
    }
    return true
  }

  func add(_ content: String) {
    if isInTitle {
      title = (title ?? "") + content
    } else if kind == .preformatted {
      text += content
    } else {
      addWords(of: content)
    }
  }

  func end(_ element: String) {
    switch element {
    case "title":
      isInTitle = false
      title = title.map(Self.words)
    case "a":
      guard let link = openLinks.popLast() ?? nil else { return }
      links.append(link)
      text = text.trimmingCharacters(in: .whitespaces) + " [\(links.count)]"
    default: if Self.kinds[element] != nil { startBlock(.paragraph) }
    }
  }

  private func startBlock(_ kind: WebPage.Block.Kind) {
    let content = text.trimmingCharacters(
      in: self.kind == .preformatted ? .newlines : .whitespacesAndNewlines)
    if !content.isEmpty { blocks.append(WebPage.Block(kind: self.kind, text: content)) }
    text = ""
    self.kind = kind
  }

  /// Spaces and line ends in HTML are one space, however many there are.
  private func addWords(of content: String) {
    let words = Self.words(content)
    if content.first?.isWhitespace == true, text.last?.isWhitespace == false { text += " " }
    text += words
    if !words.isEmpty, content.last?.isWhitespace == true { text += " " }
  }

  private func address(_ link: String) -> URL? {
    URL(string: link, relativeTo: base).flatMap { WebAddress($0.absoluteString).url }
  }

  private static func words(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Elements that begin on a line of their own.
  private static let kinds: [String: WebPage.Block.Kind] = {
    var kinds: [String: WebPage.Block.Kind] = ["li": .listItem, "pre": .preformatted]
    for name in ["h1", "h2", "h3", "h4", "h5", "h6"] { kinds[name] = .heading }
    for name in [
      "p", "div", "section", "article", "header", "footer", "main", "nav", "aside", "ul", "ol",
      "table", "tr", "blockquote", "dl", "dt", "dd", "form", "hr", "figure", "body",
    ] { kinds[name] = .paragraph }
    return kinds
  }()
}
