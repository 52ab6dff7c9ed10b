import DeathRecords
import IncidentModel
import CLogFormat
import TextOutput

extension WatchScreen {
  /// Returns the threads, busiest first.
  func threadTable(_ room: Int, _ width: Int) -> [ScreenLine] {
    let threads = state.threads.values.sorted(by: Self.isBusier)
    return table(threads, room) { thread in
      var line = ScreenLine(" ")
      line.add(column: "\(thread.id)", 8, .quiet)
      line.add(column: thread.name, 16)
      return self.activity(thread, after: line, width)
    }
  }

  /// Returns the queues, the main queue first, then busiest first.
  func queueTable(_ room: Int, _ width: Int) -> [ScreenLine] {
    let queues = state.queues.values.sorted {
      $0.isMain != $1.isMain ? $0.isMain : Self.isBusier($0, $1)
    }
    return table(queues, room) { queue in
      var line = ScreenLine(" ")
      line.add(column: CrumbLine.name(queue.name), 25, queue.isMain ? .good : .plain)
      return self.activity(queue, after: line, width)
    }
  }

  private static func isBusier(_ one: WatchState.Actor, _ other: WatchState.Actor) -> Bool {
    (one.rate.perSecond, one.last, one.id) > (other.rate.perSecond, other.last, other.id)
  }

  private func table(
    _ actors: [WatchState.Actor], _ room: Int, _ line: (WatchState.Actor) -> ScreenLine
  ) -> [ScreenLine] {
    guard room > 0 else { return [] }
    let skipped = controls.view.isTable ? controls.scroll : 0
    return actors.dropFirst(skipped).prefix(room).map(line)
  }

  /// Adds the rate of a thread or queue, and its last counterpart.
  private func activity(
    _ actor: WatchState.Actor, after head: ScreenLine, _ width: Int
  ) -> ScreenLine {
    var line = head
    let rate = "\(grouped(UInt64(actor.rate.perSecond)))/s"
    line.add(String(repeating: " ", count: max(0, 10 - rate.count)) + rate + " ")
    if width >= 60 { line.add(column: sparks(actor.rate.seconds, 8), 8, .place) }
    line.add(actor.place.isEmpty ? "" : CrumbLine.name(actor.place), .quiet)
    line.cut(width)
    return line
  }

  /// Returns a histogram of hop latencies, one bar per bucket.
  func histogram(_ room: Int, _ width: Int) -> [ScreenLine] {
    guard room > 1 else { return [] }
    let counts = state.hops.lastMinute
    guard counts.contains(where: { $0 > 0 }) else {
      return [ScreenLine(state.hops.total == 0 ? " none yet" : " none in the last minute", .quiet)]
    }
    let first = counts.firstIndex { $0 > 0 } ?? 0
    let last = counts.lastIndex { $0 > 0 } ?? 0
    let tallest = counts.max() ?? 1
    var lines = [shares]
    for bucket in first...last where lines.count < room {
      lines.append(bar(bucket, counts[bucket], tallest, width))
    }
    return lines
  }

  private var shares: ScreenLine {
    var line = ScreenLine(" half within ", .quiet)
    line.add(state.hops.bound(ofShare: 0.5).map { TimeSpan.text(nanoseconds: $0) } ?? "-", .heading)
    line.add("  99 of 100 within ", .quiet)
    line.add(
      state.hops.bound(ofShare: 0.99).map { TimeSpan.text(nanoseconds: $0) } ?? "-", .heading)
    line.add("  longest ", .quiet)
    line.add(TimeSpan.text(nanoseconds: state.hops.longest), .heading)
    return line
  }

  private func bar(_ bucket: Int, _ count: Int, _ tallest: Int, _ width: Int) -> ScreenLine {
    let bound = HopHistogram.bound(of: bucket)
    let label = bound.map { "≤ \(TimeSpan.text(nanoseconds: $0))" } ?? "longer"
    var line = ScreenLine()
    line.add(String(repeating: " ", count: max(1, 11 - label.count)) + label + " ", .quiet)
    let number = " \(grouped(UInt64(count)))"
    let room = max(1, width - line.cells - number.count - 1)
    let length = count == 0 ? 0 : max(1, count * room / tallest)
    let role: TextRole = (bound ?? .max) > 100_000_000 ? .caution : .place
    line.add(String(repeating: "█", count: length), role)
    line.add(number)
    return line
  }

  // MARK: Violations

  /// Returns the newest violations, one line each, newest first.
  func newestViolations(_ room: Int) -> [ScreenLine] {
    guard room > 0 else { return [] }
    var writer = CrumbLine()
    return (0..<min(room, state.violations.count)).map { index in
      line(state.violations[state.violations.count - 1 - index], &writer)
    }
  }

  func violationLines(_ room: Int) -> [ScreenLine] {
    let note = "\(state.violationCount)"
    guard state.violations.count > 0 else {
      return [title("violations", note), ScreenLine(" none", .good)]
    }
    var writer = CrumbLine()
    var lines: [ScreenLine] = []
    var index = state.violations.count - 1 - controls.scroll
    while index >= 0, lines.count < room - 1 {
      let violation = state.violations[index]
      lines.append(line(violation, &writer))
      for origin in violation.data where origin.key == MS_KEY_ORIGIN {
        lines.append(ScreenLine("             \(origin.value.description)", .quiet))
      }
      index -= 1
    }
    return [title("violations", note)] + lines
  }

  private func line(_ violation: Crumb, _ writer: inout CrumbLine) -> ScreenLine {
    var line = ScreenLine(" " + writer.time(of: violation) + " ", .quiet)
    line.add("“\(violation.message)”", .alarm)
    let name = violation[MS_KEY_FUNCTION]?.description
    if let at = violation[MS_KEY_SITE]?.description {
      line.add(" in \(name.map { "\($0), " } ?? "")\(at)", .plain)
    }
    line.add(" on \(violation.queue.map { CrumbLine.name($0.label) } ?? "no queue")", .quiet)
    line.add(", \(CrumbLine.name(threads[violation.thread], violation.thread))", .quiet)
    return line
  }
}
