import Foundation

/// A hero that may be hired, as the screens and the files know one.
package struct Superhero: Codable, Sendable, Hashable, Identifiable {
  package let id: Int
  package let name: String
  package let about: String
  /// Where the picture is; nil where there is none.
  package let image: URL?

  package init(id: Int, name: String, about: String, image: URL?) {
    self.id = id
    self.name = name
    self.about = about
    self.image = image
  }
}
