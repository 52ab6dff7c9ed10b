import Foundation

/// What a web page says, without how it looks.
struct WebPage: Hashable, Sendable {
  /// A piece of the page that begins on a line of its own.
  struct Block: Hashable, Sendable {
    /// What it is.
    enum Kind: Hashable, Sendable {
      case heading
      case paragraph
      case listItem
      case preformatted
    }

    /// What it is.
    let kind: Kind
    /// What it says; a link is followed by its number in brackets.
    let text: String
  }

  /// The page's own title; nil if it has none.
  let title: String?
  /// What it says, from top to bottom.
  let blocks: [Block]
  /// Where its links lead, by their numbers, from 1.
  let links: [URL]

  /// A page of these parts.
  init(title: String?, blocks: [Block], links: [URL]) {
    self.title = title
    self.blocks = blocks
    self.links = links
  }
}
