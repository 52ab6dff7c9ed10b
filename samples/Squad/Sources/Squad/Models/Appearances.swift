import Foundation

/// The comics a hero appeared in last.
package struct Appearances: Codable, Sendable, Hashable {
  /// A comic, as much of it as is shown.
  package struct Comic: Codable, Sendable, Hashable, Identifiable {
    package let id: Int
    package let title: String
    /// Where the cover is; nil where there is none.
    package let image: URL?
  }

  /// How many there are in all.
  package let total: Int
  /// The newest of them.
  package let comics: [Comic]

  /// How many are not among ``comics``.
  package var others: Int { max(0, total - comics.count) }
}
