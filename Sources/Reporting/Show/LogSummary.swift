import IncidentModel

/// What a log says of itself, in words: whose it is, how it ended, what is missing from it.
struct LogSummary {
  var path: String
  var layout: TextLayout
  var isVerbose: Bool

  private var palette: Palette { layout.palette }

  func header(_ incident: Incident) -> VisibleText {
    var clock = LocalClock()
    var lines: [VisibleText] = []
    if let process = incident.process {
      let name = process.executable.split(separator: "/").last.map(String.init) ?? "?"
      lines.append(palette("\(name), process \(process.id)", .heading) + ": \(process.executable)")
      let opened = WallTime(nanoseconds: process.openedWall)
      lines.append(
        "opened \(clock.date(opened)) \(clock.clock(opened)) \(clock.zone(opened))")
    } else {
      lines.append(palette("\(path)", .heading) + ": the header says nothing of its process")
    }
    if isVerbose { lines += incident.notes.map { palette("note: \($0)", .quiet) } }
    return lines.map { $0 + "\n" }.joined(by: "")
  }

  /// How the run ended, what was lost, and what could not be read.
  func closing(_ incident: Incident) -> VisibleText {
    var lines = [ending(incident)]
    lines += losses(incident.losses)
    lines += unread(incident.unread)
    return lines.map { $0 + "\n" }.joined(by: "")
  }

  private func ending(_ incident: Incident) -> VisibleText {
    let text: VisibleText =
      switch incident.ending {
      case .running: palette("still running", .good)
      case .clean: palette("ended cleanly", .good)
      case .sudden:
        palette("ended without a word: killed, crashed, or the machine went down", .alarm)
      case .cutShort: palette("the log was cut short while it was written", .alarm)
      }
    guard let process = incident.process, let last = incident.crumbs.last,
      last.monotonic >= process.openedMonotonic
    else { return text }
    let lived = brief(nanoseconds: last.monotonic - process.openedMonotonic)
    return text + "; the last crumb came \(lived) after it opened"
  }

  private func losses(_ losses: Incident.Losses) -> [VisibleText] {
    var lines: [VisibleText] = []
    if !losses.recycled.isEmpty {
      lines.append(
        palette("gone: \(counts(losses.recycled)), overwritten by newer ones", .caution))
    }
    if !losses.dropped.isEmpty {
      lines.append(
        palette("never written: \(counts(losses.dropped)), for lack of a chunk", .caution))
    }
    return lines
  }

  private func counts(_ kinds: [CrumbKind: UInt64]) -> VisibleText {
    let all = CrumbKind.allCases.compactMap { kind in
      kinds[kind].map { "\(grouped($0)) \(kind.name)" as VisibleText }
    }
    return all.joined(by: ", ")
  }

  private func unread(_ parts: [Unread]) -> [VisibleText] {
    let shown = isVerbose ? parts[...] : parts.prefix(10)
    var lines: [VisibleText] = shown.map { part in
      palette(
        "not read: \(grouped(part.length)) bytes at offset \(part.offset): \(part.reason.words)",
        .caution)
    }
    if shown.count < parts.count {
      lines.append(
        palette("not read: \(parts.count - shown.count) more parts (--verbose: all)", .caution))
    }
    return lines
  }
}

extension Unread.Reason {
  fileprivate var words: String {
    switch self {
    case .unfinished: "a record was begun and not finished"
    case .damaged: "damaged"
    case .truncated: "the file ends before them"
    case .other(let words): words
    }
  }
}
