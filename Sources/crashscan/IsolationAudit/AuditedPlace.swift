import IncidentModel

/// A place of a program that can trap by isolation.
package struct AuditedPlace: Sendable {
  package enum Kind: String, Sendable {
    case closure
    /// A function of an actor that was converted to a function without isolation.
    case function
    /// The witness of a protocol's requirement.
    case witness
    /// `assumeIsolated` or a similar check in the source.
    case assumption
    /// `dispatchPrecondition`.
    case queue
    /// A check of Mainstay.
    case library
  }

  /// The order of the report.
  package enum Rank: Int, Sendable, Comparable {
    /// Handed to code that is known to call elsewhere.
    case elsewhere
    /// Handed to code that keeps it, or to unknown code.
    case kept
    /// Called where it is created, or on the main queue.
    case here

    package static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
  }

  package var kind: Kind
  package var rank: Rank
  /// The readable name of the function.
  package var function: String
  package var file: String?
  package var line: Int?
  /// The name of the global actor: `MainActor`; nil if it is unknown.
  package var actor: String?
  /// The name of the actor whose instance isolates the function, if no global actor does.
  package var instanceActor: String?
  /// The check in the source: `MainActor.assumeIsolated`; nil for a check that the compiler inserted.
  package var check: String?
  /// The functions that receive the closure, in order.
  package var trail: [String] = []
  /// The place of the call that takes the closure.
  package var call: CodePlace?
  /// The place where the last function of the trail calls the closure, as a clause.
  package var reason: String?
  /// The protocol and the type of a witness.
  package var conformance: (protocolName: String, type: String)?
}
