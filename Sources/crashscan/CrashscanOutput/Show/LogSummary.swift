import DeathRecords
import IncidentModel
import TextOutput

/// Describes a log: its process, the ending of the run, and missing data.
struct LogSummary {
  var path: String
  var layout: TextLayout
  var isVerbose: Bool

  private var palette: Palette { layout.palette }

  /// Returns the process, the ending of the run, and missing data.
  func header(_ incident: Incident) -> VisibleText {
    var lines = identity(incident)
    lines.append(ending(incident))
    lines += missing(incident)
    if isVerbose { lines += incident.notes.map { palette("note: \($0)", .quiet) } }
    return text(lines) + "\n"
  }

  /// Returns the ending of the run, plus losses that were unknown when the header was printed.
  func closing(_ incident: Incident, known: Incident) -> VisibleText {
    let missing = missing(incident)
    return text([ending(incident)] + (missing == self.missing(known) ? [] : missing))
  }

  private func text(_ lines: [VisibleText]) -> VisibleText {
    lines.map { $0 + "\n" }.joined(by: "")
  }

  private func identity(_ incident: Incident) -> [VisibleText] {
    guard let process = incident.process else {
      return [palette("\(path)", .heading) + ": the header with the name of the process is damaged"]
    }
    var clock = LocalClock()
    let name = process.executable.split(separator: "/").last.map(String.init) ?? "?"
    let opened = WallTime(nanoseconds: process.openedWall)
    return [
      palette("\(name), process \(process.id)", .heading) + ": \(process.executable)"
    ] + deployment(process) + [
      "opened \(clock.date(opened)) \(clock.clock(opened)) \(clock.zone(opened))"
    ]
  }

  private func deployment(_ process: Incident.Process) -> [VisibleText] {
    let words = [
      process.release.map { "release \($0)" }, process.environment.map { "environment \($0)" },
    ].compactMap { $0 }
    return words.isEmpty ? [] : ["\(words.joined(separator: ", "))"]
  }

  private func missing(_ incident: Incident) -> [VisibleText] {
    losses(incident.losses) + unread(incident.unread)
  }

  private func ending(_ incident: Incident) -> VisibleText {
    let text: VisibleText
    if let crash = crash(incident), !crash.isSurvived {
      text = palette(crash.headline, .alarm)
    } else {
      text = palette("\(incident.manner.words)", incident.ending.isClean ? .good : .alarm)
    }
    guard let process = incident.process, let last = incident.crumbs.last,
      last.monotonic >= process.openedMonotonic
    else { return text }
    let lived = TimeSpan.text(nanoseconds: last.monotonic - process.openedMonotonic)
    return text + "; the last crumb came \(lived) after the log was opened"
  }

  /// Returns the listing of the crash; nil without a crash.
  func crash(_ incident: Incident) -> CrashListing? {
    incident.crash.map { crash in
      CrashListing(
        crash: crash, process: incident.process?.id,
        isSurvived: crash.stage == .recovered || incident.ending == .clean, layout: layout,
        isVerbose: isVerbose)
    }
  }

  private func losses(_ losses: Incident.Losses) -> [VisibleText] {
    var lines: [VisibleText] = []
    if !losses.recycled.isEmpty {
      lines.append(
        palette("lost: \(counts(losses.recycled)), overwritten by newer crumbs", .caution))
    }
    if !losses.dropped.isEmpty {
      lines.append(
        palette("never written: \(counts(losses.dropped)), because the log was full", .caution))
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
    case .unfinished: "an unfinished record"
    case .damaged: "damaged"
    case .truncated: "the file ends earlier"
    case .other(let words): words
    }
  }
}
