/// An origin of code that broke an affinity.
public struct ViolationOrigin: Sendable {
  /// The kind of event at an origin.
  public enum Kind: String, Sendable {
    /// The callback was registered here.
    case registered
    /// The call was enqueued here.
    case enqueued
    /// The thread was bound here.
    case bound
  }

  /// The kind of event.
  public let kind: Kind
  /// The place in the source.
  public let site: CallSite
  /// The queue and thread at the time of the event.
  public let place: ExecutionPlace
  /// The addresses of the stack at the time of the event, as in `AffinityViolation.stack`; empty
  /// without a recorder.
  public let stack: [UInt]
  /// The captured stack, in which async callers are marked (`StackWord`).
  package let frames: [UInt]
  /// The id of the hop, which its crumbs share; 0 without a hop.
  public let hop: UInt64

  init(
    _ kind: Kind, site: CallSite, place: ExecutionPlace = .current, frames: [UInt] = [],
    hop: UInt64 = 0
  ) {
    self.kind = kind
    self.site = site
    self.place = place
    stack = StackWord.addresses(of: frames)
    self.frames = frames
    self.hop = hop
  }
}

extension ViolationOrigin: CustomStringConvertible {
  /// The origin as text, such as `enqueued at App/Feed.swift:12 on queue net (thread 41)`.
  public var description: String { "\(kind) at \(site) on \(place)" }
}
