import IncidentModel

/// Judges an input: sees its events once, in the order of time, and reports to the scene.
///
/// A rule is a fold. What it keeps must be in proportion to what it finds, never to what it sees. It
/// sees events of the kinds it asks for, then the end of the input, once. What it reports is the same
/// for the same input.
protocol Rule: AnyObject {
  static var about: RuleDescription { get }

  /// The kinds of events that `observe` is called for.
  var interest: Interest { get }

  init()

  func observe(_ event: Event, in scene: Scene)

  /// The input has ended; what the source only knows then is there.
  func finish(in scene: Scene)
}

extension Rule {
  func observe(_ event: Event, in scene: Scene) {}
  func finish(in scene: Scene) {}
}
