import IncidentModel
import CLogFormat

/// The crumbs shortly before an event, including those of the previous batch; consecutive equal
/// crumbs form one row.
struct RecentEvents {
  /// A crumb as a row, with its role in a request.
  private struct Entry {
    var crumb: Finding.Nearby
    var moment: Moment
    var request: (id: String, isEnd: Bool)?
    let isNote: Bool
    /// True if each run records this crumb, for example the start of the process.
    let isOfEveryRun: Bool
    /// The key of the crumb's category and `id` (`PairedCrumbs.key`); nil for crumbs without an id.
    var pair: Int?
  }

  private var kept: [Entry] = []
  /// The numbers of rows before and after an event.
  private static let before = 5, after = 2
  /// The number of crumbs to search for equal ones.
  private static let reach = 256

  /// Keeps the crumbs that the next batch may need, before the reader refills this batch.
  mutating func endOfBatch(_ batch: EventBatch) {
    for index in max(0, batch.count - Self.reach)..<batch.count where Self.isTold(batch[index]) {
      kept.append(Self.told(batch[index]))
    }
    kept.removeFirst(max(0, kept.count - Self.reach))
  }

  /// Returns the crumbs before `event`, and up to two after it from the same batch.
  func around(_ event: Event, in batch: EventBatch) -> [Finding.Nearby] {
    let missing = Self.reach - event.index
    let own = max(0, event.index - Self.reach)..<event.index
    let earlier =
      (missing > 0 ? Array(kept.suffix(missing)) : [])
      + own.filter { Self.isTold(batch[$0]) }.map { Self.told(batch[$0]) }
    let later = (event.index + 1)..<min(batch.count, event.index + 1 + Self.after)
    var here = Self.isTold(event) ? [Self.told(event)] : []
    if !here.isEmpty { here[0].crumb.offset = 0 }
    return Self.folded(earlier, as: event.moment).suffix(Self.before)
      + Self.folded(
        here + later.filter { Self.isTold(batch[$0]) }.map { Self.told(batch[$0]) },
        as: event.moment)
  }

  /// Returns the last crumbs before a moment. A process may record further crumbs after its crash.
  func last(before end: Moment) -> [Finding.Nearby] {
    let earlier = kept.filter {
      !$0.moment.isTold || !end.isTold || $0.moment.monotonic <= end.monotonic
    }
    return Array(Self.folded(earlier, as: end).suffix(Self.before))
  }

  /// Returns the text and time of the newest kept note that satisfies `fits`.
  func last(where fits: (String) -> Bool) -> (text: String, moment: Moment)? {
    kept.last { $0.isNote && fits($0.crumb.text) }.map { ($0.crumb.text, $0.moment) }
  }

  /// Returns rows relative to a moment: a finished request is one row, and consecutive equal rows
  /// are one.
  private static func folded(_ told: [Entry], as moment: Moment) -> [Finding.Nearby] {
    let ended = Set(told.compactMap { $0.request }.filter(\.isEnd).map(\.id))
    // Finished work explains little: it is listed only if there are no other crumbs.
    let counts = Dictionary(grouping: told.compactMap(\.pair), by: \.self).mapValues(\.count)
    let open = told.filter { one in one.pair.map { counts[$0] == 1 } ?? true }
    let telling = open.filter { !$0.isOfEveryRun }
    var rows: [(crumb: Finding.Nearby, count: Int)] = []
    for one in [telling, open, told].first(where: { !$0.isEmpty }) ?? [] {
      if let request = one.request, !request.isEnd, ended.contains(request.id) { continue }
      var crumb = one.crumb
      crumb.offset = crumb.offset ?? offset(of: one.moment, from: moment)
      if let last = rows.last, last.crumb.text == crumb.text {
        let isOfOne = last.crumb.thread == crumb.thread
        if last.crumb.offset == 0 { crumb.offset = 0 }
        rows[rows.count - 1] = (crumb, last.count + 1)
        if !isOfOne { rows[rows.count - 1].crumb.thread = IncidentThread.unknown }
      } else {
        rows.append((crumb, 1))
      }
    }
    return rows.map { row in
      guard row.count > 1 else { return row.crumb }
      var crumb = row.crumb
      crumb.text = "\(row.count) × \(crumb.text)"
      return crumb
    }
  }

  /// True if the event is listed. Waiting lists, hang details and toolkit fixes are not, because
  /// findings report their contents, nor are the minutes of `AnswerTimes`, which no finding is about.
  private static func isTold(_ event: Event) -> Bool {
    !event.categoryBytes.isEqual(to: MS_WORD_TOOLKIT_FIX)
      && !event.categoryBytes.isEqual(to: MS_WORD_WAITING)
      && !(event.kind == .hang && Hang.isMore(event)) && !AnswerTimes.All.areTold(by: event)
  }

  private static func offset(of moment: Moment, from end: Moment) -> Int64? {
    guard moment.isTold, end.isTold else { return nil }
    return Int64(truncatingIfNeeded: moment.monotonic &- end.monotonic)
  }

  private static func told(_ crumb: Event) -> Entry {
    let request = crumb.kind == .note ? Self.request(crumb) : nil
    return Entry(
      crumb: Finding.Nearby(
        offset: nil, thread: crumb.thread, queue: crumb.queue?.label ?? "",
        text: request?.words ?? words(crumb)),
      moment: crumb.moment, request: request.map { ($0.id, $0.isEnd) },
      isNote: crumb.kind == .note,
      isOfEveryRun: crumb.kind == .lifecycle
        && LifecycleStep(crumb.message)?.isOfEveryRun == true,
      pair: crumb.kind == .note ? PairedCrumbs.key(of: crumb) : nil)
  }

  private static func request(_ crumb: Event) -> (id: String, isEnd: Bool, words: String)? {
    guard crumb.categoryBytes.isEqual(to: MS_WORD_REQUEST),
      let id = crumb.text(MS_KEY_REQUEST_ID), let route = crumb.text(MS_KEY_REQUEST)
    else { return nil }
    if crumb.messageBytes.isEqual(to: MS_WORD_REQUEST_BEGINS) {
      return (id, false, "\(route) begins")
    }
    guard crumb.messageBytes.isEqual(to: MS_WORD_REQUEST_ENDS) else { return nil }
    return (id, true, route + (crumb.integer(MS_KEY_STATUS).map { ", \($0)" } ?? " ends"))
  }

  private static func words(_ crumb: Event) -> String {
    let isOwn = crumb.kind == .violation || crumb.text(MS_KEY_ORIGIN_STACK) != nil
    let data = isOwn ? [] : crumb.data.filter { $0.key != MS_KEY_REQUEST_ID }.prefix(3)
    let values = data.filter { !crumb.kind.isMark($0.key) }.map { " \($0.key)=\($0.value)" }
      .joined()
    let kind = crumb.kind == .note ? crumb.category : crumb.kind.name
    return "\(kind): \(crumb.message)\(values)"
  }
}

/// A point in time on the monotonic and the wall clock.
struct Moment {
  var monotonic: UInt64
  var wall: UInt64
  /// False if the input records only the order of events.
  var isTold = true

  static let never = Moment(monotonic: 0, wall: 0)

  /// Returns the formatted time from this moment to `later`; nil if it is unknown or zero.
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
