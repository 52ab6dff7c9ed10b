import IncidentModel

/// From when on a recording has all of its chatter, where newer crumbs have overwritten some.
///
/// A thread numbers its crumbs: a gap shows that crumbs were overwritten, and after the last gap the record is
/// complete. A quiet thread keeps old notes beside a flood of others, so the oldest crumb alone would claim too
/// much; it is used if numbers may be missing for other reasons.
struct HeldStory {
  /// The maximum number of crumbs that nested signal handlers add out of order.
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

  /// Nanoseconds since 1970; nil if no crumbs of the lowest pool were overwritten.
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
  /// Whether it goes where newer crumbs of every such kind push it out.
  fileprivate var isChatter: Bool {
    switch self {
    case .note, .uiWork, .hop: true
    case .lifecycle, .violation, .backgroundTask, .hang, .error: false
    }
  }
}
