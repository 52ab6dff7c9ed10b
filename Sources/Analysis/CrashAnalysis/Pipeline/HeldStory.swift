import IncidentModel

/// From when on a recording has all of its chatter, where newer crumbs have overwritten some.
///
/// A thread's crumbs are counted: where a number is missing, crumbs were overwritten, and from the last such place
/// on all is there. A thread that is quiet keeps old notes beside a flood of others, so the oldest crumb alone says
/// too much; it has to do where numbers are missing for other reasons too.
struct HeldStory {
  /// What a thread may be ahead of its count by signal handlers that interrupted one another.
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

  /// Nanoseconds since 1970; nil where no chatter was overwritten.
  ///
  /// - Parameter source: at its end.
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
