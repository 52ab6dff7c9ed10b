import IncidentModel

/// Determines since when a recording is complete, if newer crumbs have overwritten older ones.
///
/// Each thread numbers its crumbs: a gap shows that crumbs were overwritten, and the record is
/// complete after the last gap. The oldest crumb alone would claim too much, because a quiet thread
/// keeps old notes during a flood of others. The oldest crumb is the fallback if numbers may be
/// missing for other reasons.
struct HeldStory {
  /// The maximum number of crumbs that nested signal handlers may record out of order.
  private static let mostAtOnce = 3

  private var expected: [Int: UInt32] = [:]
  private var oldest: UInt64?
  private var afterLastGap: UInt64?

  mutating func observe(_ batch: EventBatch) {
    for index in 0..<batch.count {
      let event = batch[index]
      let next = expected[event.thread] ?? 0
      let ahead = Int(Int32(truncatingIfNeeded: event.number &- next))
      if ahead >= 0 { expected[event.thread] = event.number &+ 1 }
      guard event.kind.isChatter else { continue }
      if oldest == nil { oldest = event.wall }
      if ahead > Self.mostAtOnce { afterLastGap = event.wall }
    }
  }

  /// Returns the wall-clock time in nanoseconds since 1970; nil if no frequent crumbs (notes, UI
  /// work, hops) were overwritten.
  ///
  /// - Parameter source: A source that was read to its end.
  func since(_ source: any EventSource) -> UInt64? {
    let recycled = source.losses.recycled.filter { $0.value > 0 }
    guard recycled.keys.contains(where: \.isChatter) else { return nil }
    let isSure =
      recycled.keys.allSatisfy(\.isChatter) && source.losses.droppedInAll == 0
      && source.unread.allSatisfy { $0.reason == .unfinished }
    return isSure ? afterLastGap ?? oldest : oldest
  }
}

extension CrumbKind {
  /// True for the kinds that share the pool of frequent crumbs, which newer crumbs of any of these
  /// kinds overwrite.
  fileprivate var isChatter: Bool {
    switch self {
    case .note, .uiWork, .hop: true
    case .lifecycle, .violation, .backgroundTask, .hang, .error: false
    }
  }
}
