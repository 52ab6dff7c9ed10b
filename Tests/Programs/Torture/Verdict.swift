import LogReading
import IncidentModel

/// What the logs of killed writers showed.
struct Verdict {
  var kills = 0
  var acknowledged: UInt64 = 0
  var recycled: UInt64 = 0
  var unfinished = 0
  var lost: UInt64 = 0
  var torn = 0
  var twice = 0

  var isGood: Bool { lost == 0 && torn == 0 && twice == 0 }

  var line: String {
    "kills \(kills), acknowledged \(acknowledged), recycled \(recycled), "
      + "unfinished \(unfinished), lost \(lost), torn \(torn), twice \(twice)"
  }

  /// Adds what one log shows. `acknowledged` holds the last number of each stream of each writer
  /// whose `record` had returned.
  mutating func add(
    _ incident: Incident, acknowledged numbers: [Source: UInt64], startsAtOne: Bool
  ) {
    kills += 1
    acknowledged += numbers.values.reduce(0, +)
    recycled += incident.losses.recycled.values.reduce(0, +)
    unfinished += incident.unread.filter { $0.reason == .unfinished }.count
    torn += incident.unread.filter { $0.reason != .unfinished }.count
    var kept: [Source: [UInt64]] = [:]
    for crumb in incident.crumbs where crumb.category != "tick" {
      guard let source = Source(crumb), let number = Self.wholeNumber(of: crumb, source) else {
        torn += 1
        continue
      }
      kept[source, default: []].append(number)
    }
    for (source, last) in numbers {
      judge(kept[source] ?? [], last: last, startsAtOne: startsAtOne)
    }
  }

  /// One unbroken run, in order, that reaches what was acknowledged.
  private mutating func judge(_ run: [UInt64], last: UInt64, startsAtOne: Bool) {
    guard let first = run.first, let end = run.last else {
      lost += last
      return
    }
    if startsAtOne { lost += first - 1 }
    if end < last { lost += last - end }
    for (before, after) in zip(run, run.dropFirst()) {
      if after <= before { twice += 1 } else { lost += after - before - 1 }
    }
  }

  /// Whether a crumb is one that a writer left.
  static func isWhole(_ crumb: Crumb) -> Bool {
    if crumb.category == "tick" { return crumb.message == "tick" && crumb.data.isEmpty }
    return Source(crumb).flatMap { wholeNumber(of: crumb, $0) } != nil
  }

  private static func wholeNumber(of crumb: Crumb, _ source: Source) -> UInt64? {
    guard case .integer(let number)? = crumb["number"], number > 0 else { return nil }
    let isLifecycle = source.stream == .lifecycle
    let expected =
      isLifecycle
      ? "did launch" : Payload.text(writer: source.writer, number: UInt64(number))
    return crumb.message == expected ? UInt64(number) : nil
  }
}

/// One stream of one writer.
struct Source: Hashable {
  let writer: Int
  let stream: Stream

  init(writer: Int, stream: Stream) {
    self.writer = writer
    self.stream = stream
  }

  init?(_ crumb: Crumb) {
    guard case .integer(let writer)? = crumb["writer"],
      let stream = Stream(rawValue: crumb.category)
    else { return nil }
    self.init(writer: Int(writer), stream: stream)
  }
}
