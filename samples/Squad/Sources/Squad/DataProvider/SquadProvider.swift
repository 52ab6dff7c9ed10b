/// Where the screens get the squad from and change it, as a witness.
package struct SquadProvider: Sendable {
  /// What the squad is handed to, on whatever queue it came.
  package typealias Answer = @Sendable (Result<[Superhero], PersisterError>) -> Void

  /// Answers with who is in it.
  package var load: @Sendable (@escaping Answer) -> Void
  /// Takes a hero in; who is in it already stays where they are.
  package var hire: @Sendable (Superhero, @escaping Answer) -> Void
  /// Lets the hero of that id go.
  package var fire: @Sendable (Superhero.ID, @escaping Answer) -> Void
}
