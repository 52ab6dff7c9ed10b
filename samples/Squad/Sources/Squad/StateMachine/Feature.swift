/// A screen as a state machine: what it can be, what can happen, and what follows.
package protocol Feature: SendableMetatype {
  /// All that the screen shows.
  associatedtype State: Sendable & Equatable
  /// What happens to it.
  associatedtype Event: Sendable & Equatable
  /// What it asks the world for; the world answers with events.
  associatedtype Effect: Sendable & Equatable

  /// Changes the state by an event, and says what the world is asked for. A pure function; an event
  /// that means nothing in a state changes nothing.
  static func reduce(_ state: inout State, on event: Event) -> [Effect]
}
