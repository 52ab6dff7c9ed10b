import IncidentModel

/// Judges an input: sees its events once, in the order of time, and reports to the scene.
///
/// A rule is a fold. What it keeps must be in proportion to what it finds, never to what it sees. It
/// sees events of the kinds it asks for, then the end of the input, once. What it reports is the same
/// for the same input.
protocol Rule: AnyObject, SendableMetatype {
  static var about: RuleDescription { get }

  /// The kinds of events that `observe` is called for.
  var interest: KindSet { get }

  init()

  func observe(_ event: Event, in scene: Scene)

  /// The input has ended; what the source only knows then is there.
  func finish(in scene: Scene)
}

extension Rule {
  func observe(_ event: Event, in scene: Scene) {}
  func finish(in scene: Scene) {}
}

/// A set of kinds of events.
struct KindSet: OptionSet {
  let rawValue: UInt16

  init(rawValue: UInt16) { self.rawValue = rawValue }

  init(_ kinds: CrumbKind...) {
    rawValue = kinds.reduce(0) { $0 | 1 << UInt16($1.rawValue) }
  }

  @inline(__always)
  func contains(_ kind: CrumbKind) -> Bool { rawValue >> UInt16(kind.rawValue) & 1 != 0 }
}
