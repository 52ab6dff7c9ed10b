import IncidentModel

/// The crumbs just before an event, also those of the batch before its own.
struct RecentEvents {
  private var kept: [Finding.Nearby] = []
  private var keptWall: [UInt64] = []
  private let most = 5

  /// Keeps what the next batch may look back at; the batch is about to be filled anew.
  mutating func endOfBatch(_ batch: EventBatch) {
    for index in max(0, batch.count - most)..<batch.count {
      kept.append(Self.nearby(batch[index], of: batch[index]))
      keptWall.append(batch[index].monotonic)
    }
    kept.removeFirst(max(0, kept.count - most))
    keptWall.removeFirst(max(0, keptWall.count - most))
  }

  /// The crumbs before `event`, and the two after it as far as its batch has them.
  func around(_ event: Event, in batch: EventBatch) -> [Finding.Nearby] {
    var found: [Finding.Nearby] = []
    let missing = most - event.index
    if missing > 0 {
      for (crumb, when) in zip(kept.suffix(missing), keptWall.suffix(missing)) {
        var crumb = crumb
        crumb.offset = Int64(truncatingIfNeeded: when &- event.monotonic)
        found.append(crumb)
      }
    }
    for index in max(0, event.index - most)..<min(batch.count, event.index + 3) {
      found.append(Self.nearby(batch[index], of: event))
    }
    return found
  }

  /// The last crumbs of an input.
  func last(before monotonic: UInt64) -> [Finding.Nearby] {
    zip(kept, keptWall).map { crumb, when in
      var crumb = crumb
      crumb.offset = Int64(truncatingIfNeeded: when &- monotonic)
      return crumb
    }
  }

  private static func nearby(_ crumb: Event, of event: Event) -> Finding.Nearby {
    let data =
      crumb.kind == .violation ? [] : crumb.data.prefix(3).filter { !crumb.kind.isMark($0.key) }
    let values = data.map { " \($0.key)=\($0.value)" }.joined()
    let kind = crumb.kind == .note ? crumb.category : crumb.kind.name
    return Finding.Nearby(
      offset: Int64(truncatingIfNeeded: crumb.monotonic &- event.monotonic), thread: crumb.thread,
      queue: crumb.queue?.label ?? "", text: "\(kind): \(crumb.message)\(values)")
  }
}
