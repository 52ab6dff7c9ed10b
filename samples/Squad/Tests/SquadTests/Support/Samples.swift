import Foundation

@testable import Squad

extension Superhero {
  /// A hero of that id.
  static func sample(_ id: Int) -> Superhero {
    Superhero(id: id, name: "Hero \(id)", about: "About \(id).", image: nil)
  }
}

extension HeroPage {
  /// A page of the heroes of these ids.
  static func sample(_ ids: ClosedRange<Int>, offset: Int, total: Int = 45) -> HeroPage {
    HeroPage(offset: offset, total: total, heroes: ids.map(Superhero.sample))
  }
}

extension RetryPolicy {
  /// Asks three times, a second after the first failure, and leaves nothing to chance.
  static let exact = RetryPolicy(
    attempts: 3, firstDelay: .seconds(1), longestDelay: .seconds(8), jitter: { 1 })
}
