/// A part of the long list of heroes.
package struct HeroPage: Codable, Sendable, Hashable {
  /// How many heroes come before it.
  package let offset: Int
  /// How many there are in all.
  package let total: Int
  package let heroes: [Superhero]

  package init(offset: Int, total: Int, heroes: [Superhero]) {
    self.offset = offset
    self.total = total
    self.heroes = heroes
  }
}
