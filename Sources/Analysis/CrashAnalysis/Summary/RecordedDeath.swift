/// What a run died of, in a word for programs and in words for people.
package struct RecordedDeath: Hashable, Sendable, Codable {
  /// `fatal-error`, `bad-access`, `killed`: it does not change between versions.
  package var kind: String
  /// `Fatal error`.
  package var name: String

  init?(_ run: EndedRun) {
    guard let words = DeathWords(run) else { return nil }
    kind = words.kind
    name = words.name
  }
}
