/// One chapter of a guide, as the server has it.
package struct Chapter: Sendable, Hashable, Codable {
  package let title: String
  package let paragraphs: [String]

  package init(title: String, paragraphs: [String]) {
    self.title = title
    self.paragraphs = paragraphs
  }
}
