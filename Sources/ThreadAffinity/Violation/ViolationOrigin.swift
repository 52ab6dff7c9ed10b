/// Where the code that broke an affinity was sent from.
public struct ViolationOrigin: Sendable {
  /// How a place came to be an origin.
  public enum Kind: String, Sendable {
    /// The callback was handed over here.
    case registered
    /// The call was put on its queue here.
    case enqueued
    /// The thread was bound here.
    case bound
  }

  /// How this place came to be an origin.
  public let kind: Kind
  /// The place in the source.
  public let site: CallSite
  /// The queue and thread at that time.
  public let place: ExecutionPlace
  /// Return addresses at that time, newest first; empty without a recorder.
  public let stack: [UInt]
  /// The hop whose crumbs tell the rest; 0 without one.
  public let hop: UInt64

  init(
    _ kind: Kind, site: CallSite, place: ExecutionPlace = .current, stack: [UInt] = [],
    hop: UInt64 = 0
  ) {
    self.kind = kind
    self.site = site
    self.place = place
    self.stack = stack
    self.hop = hop
  }
}

extension ViolationOrigin: CustomStringConvertible {
  /// The origin in words, as `enqueued at App/Feed.swift:12 on queue net (thread 41)`.
  public var description: String { "\(kind) at \(site) on \(place)" }
}
