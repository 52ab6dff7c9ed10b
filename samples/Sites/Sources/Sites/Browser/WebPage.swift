import Foundation

/// What a web page says, without how it looks.
public struct WebPage: Hashable, Sendable {
  /// A piece of the page that begins on a line of its own.
  public struct Block: Hashable, Sendable {
    /// What it is.
    public enum Kind: Hashable, Sendable {
      case heading
      case paragraph
      case listItem
      case preformatted
    }

    /// What it is.
    public let kind: Kind
    /// What it says; a link is followed by its number in brackets.
    public let text: String
  }

  /// The page's own title; nil if it has none.
  public let title: String?
  /// What it says, from top to bottom.
  public let blocks: [Block]
  /// Where its links lead, by their numbers, from 1.
  public let links: [URL]

  /// A page of these parts.
  public init(title: String?, blocks: [Block], links: [URL]) {
    self.title = title
    self.blocks = blocks
    self.links = links
  }
}
