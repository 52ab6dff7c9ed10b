// swift-format-ignore-file
// A library in Swift 5's language mode, for docs/audit.md: it does not say where it calls its closures.
import Dispatch

public protocol FeedDelegate: AnyObject {
  func feedDidEnd(_ count: Int)
}

public final class Feed {
  public weak var delegate: (any FeedDelegate)?

  public init() {}

  public func load(_ done: @escaping (Int) -> Void) { DispatchQueue.global().async { done(3) } }

  public func each(_ body: (Int) -> Void) { body(1) }
}
