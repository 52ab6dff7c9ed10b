import IncidentModel
import CLogFormat

/// The crumbs just before an event, also those of the batch before its own.
struct RecentEvents {
  private var kept: [Finding.Nearby] = []
  private var moments: [Moment] = []
  private let most = 5

  /// Keeps what the next batch may look back at; the batch is about to be filled anew.
  mutating func endOfBatch(_ batch: EventBatch) {
    for index in max(0, batch.count - most)..<batch.count where Self.isTold(batch[index]) {
      kept.append(Self.nearby(batch[index], of: batch[index]))
      moments.append(batch[index].moment)
    }
    kept.removeFirst(max(0, kept.count - most))
    moments.removeFirst(max(0, moments.count - most))
  }

  /// The crumbs before `event`, and the two after it as far as its batch has them.
  func around(_ event: Event, in batch: EventBatch) -> [Finding.Nearby] {
    var found: [Finding.Nearby] = []
    let missing = most - event.index
    if missing > 0 {
      for (crumb, moment) in zip(kept.suffix(missing), moments.suffix(missing)) {
        var crumb = crumb
        crumb.offset = Self.offset(of: moment, from: event.moment)
        found.append(crumb)
      }
    }
    let near = max(0, event.index - most)..<min(batch.count, event.index + 3)
    for index in near where Self.isTold(batch[index]) {
      found.append(Self.nearby(batch[index], of: event))
    }
    return found
  }

  /// The last crumbs of an input.
  func last(before end: Moment) -> [Finding.Nearby] {
    zip(kept, moments).map { crumb, moment in
      var crumb = crumb
      crumb.offset = Self.offset(of: moment, from: end)
      return crumb
    }
  }

  /// What a toolkit's list says is said by its findings, and nothing that happened.
  private static func isTold(_ event: Event) -> Bool {
    !event.categoryBytes.isEqual(to: MS_WORD_TOOLKIT_FIX)
  }

  private static func offset(of moment: Moment, from end: Moment) -> Int64? {
    guard moment.isTold, end.isTold else { return nil }
    return Int64(truncatingIfNeeded: moment.monotonic &- end.monotonic)
  }

  private static func nearby(_ crumb: Event, of event: Event) -> Finding.Nearby {
    let data =
      crumb.kind == .violation || crumb.text(MS_KEY_ORIGIN_STACK) != nil
      ? [] : crumb.data.prefix(3).filter { !crumb.kind.isMark($0.key) }
    let values = data.map { " \($0.key)=\($0.value)" }.joined()
    let kind = crumb.kind == .note ? crumb.category : crumb.kind.name
    let offset = crumb.index == event.index ? 0 : offset(of: crumb.moment, from: event.moment)
    return Finding.Nearby(
      offset: offset, thread: crumb.thread,
      queue: crumb.queue?.label ?? "", text: "\(kind): \(crumb.message)\(values)")
  }
}

/// When something happened, on the monotonic and the wall clock.
struct Moment {
  var monotonic: UInt64
  var wall: UInt64
  /// False where the input only tells what came before and what after.
  var isTold = true

  static let never = Moment(monotonic: 0, wall: 0)

  /// How long after this `later` was, in words; nil where that is not told, or both were one.
  func time(until later: Moment) -> String? {
    guard isTold, later.isTold, later.monotonic != monotonic else { return nil }
    return TimeSpan.text(nanoseconds: later.monotonic &- monotonic)
  }
}

extension Event {
  var moment: Moment {
    Moment(monotonic: monotonic, wall: wall, isTold: !marks.contains(.untimed))
  }
}
