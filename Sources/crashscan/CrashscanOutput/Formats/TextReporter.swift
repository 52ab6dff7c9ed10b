import CrashAnalysis
import IncidentModel
import TextOutput

/// Writes a report for people: the event, the culprit, the steps that led to it, and the fix.
package struct TextReporter: Reporter {
  let layout: TextLayout
  let isVerbose: Bool
  let readingOptions: [String]
  let keepsInputs: Bool

  /// Creates a reporter.
  ///
  /// - Parameters:
  ///   - layout: The layout for the reader's terminal or file.
  ///   - isVerbose: True to write out repeated findings, all evidence, and ways to reproduce a
  ///     finding.
  ///   - readingOptions: The options with which the inputs were read.
  ///   - keepsInputs: True if the inputs still exist when the report is read.
  package init(
    layout: TextLayout, isVerbose: Bool = false, readingOptions: [String] = [],
    keepsInputs: Bool = true
  ) {
    self.layout = layout
    self.isVerbose = isVerbose
    self.readingOptions = readingOptions
    self.keepsInputs = keepsInputs
  }

  package func write(_ report: Report) -> String { write(report, notes: []) }

  /// Writes the report.
  ///
  /// - Parameter notes: The information that the report lacks, with the remedy.
  package func write(_ report: Report, notes: [String]) -> String {
    let runs = recordings(of: report)
    var text = runs.count == 1 ? runs[0] : ""
    for input in report.unread { text += layout.palette("\(input.why)", .alarm) + "\n" }
    let repetition = keepsInputs ? Repetition(report, reading: readingOptions) : nil
    let groups = DefectGroup.groups(of: led(report))
    let isOfEnd = groups.contains { $0.lead.finding.isVerdict }
    for (place, group) in groups.enumerated() {
      // A crash comes first, and other findings about the same run are brief.
      let isBrief = isOfEnd && place > 0 && !isVerbose && !group.lead.finding.isVerdict
      if !text.isEmpty { text += "\n" }
      text += finding(group.lead, isBrief: isBrief)
      if isVerbose { text += again(repetition?.lines(for: group.lead) ?? []) }
      text += isVerbose ? written(group.others) : isBrief ? "" : mentioned(group.others)
    }
    let earlier = isVerbose ? [] : table(report.earlier.map { earlierRun($0, report) })
    if !earlier.isEmpty { text += "\n" + section("earlier runs", earlier) }
    if runs.count > 1 { text += listed(runs, isFirst: text.isEmpty) }
    if !notes.isEmpty { text += "\n" }
    for note in notes { text += paragraph("", words: "\(note)", indent: 2) }
    text += "\n" + closing(report) + "\n"
    return text.string
  }

  /// Returns the findings to write: all findings if verbose, otherwise only findings of the named inputs.
  private func led(_ report: Report) -> [Report.Entry] {
    report.entries.filter { !$0.isKnown && (isVerbose || !report.isEarlier($0)) }
  }

  /// Returns the line of an earlier run: its log, and its first finding. A verdict states the end of
  /// the run, too.
  private func earlierRun(_ place: Int, _ report: Report) -> [VisibleText] {
    let recording = report.recordings[place]
    let entries = report.entries.filter { !$0.isKnown && $0.places.contains(place) }
    let found = (entries.first { $0.finding.isVerdict } ?? entries.first)?.finding
    let end: VisibleText = found?.isVerdict == true ? "" : ending(recording) + ": "
    return ["\(layout.path(recording.input))", end + "\(found?.title ?? "no findings")"]
  }

  /// Returns the section about ways to reproduce the finding.
  func again(_ lines: [Repetition.Line]) -> VisibleText {
    guard !lines.isEmpty else { return "" }
    return lines.reduce("  " + layout.palette("see it again", .quiet) + "\n") {
      $0 + paragraph("    ", words: $1, indent: 6)
    }
  }

  private func written(_ entries: [Report.Entry]) -> VisibleText {
    entries.map { "\n" + finding($0) }.joined(by: "")
  }

  /// Names the rules of further findings about the same defect.
  private func mentioned(_ entries: [Report.Entry]) -> VisibleText {
    guard !entries.isEmpty else { return "" }
    var counts: [(rule: String, count: Int)] = []
    for entry in entries {
      if counts.last?.rule == entry.finding.rule {
        counts[counts.count - 1].count += 1
      } else {
        counts.append((entry.finding.rule, 1))
      }
    }
    let rules = counts.map { $0.count > 1 ? "\($0.rule) (\($0.count))" : $0.rule }
    return paragraph(
      "  " + layout.palette("also here", .quiet) + "  ",
      words: rules.joined(separator: ", ") + "; --verbose shows them in full", indent: 13)
  }

  private func closing(_ report: Report) -> VisibleText {
    let known = report.entries.filter(\.isKnown).count
    let fresh = DefectGroup.groups(of: led(report)).count
    // Without a readable input, the absence of findings means nothing.
    if report.recordings.isEmpty, report.entries.isEmpty, !report.unread.isEmpty {
      return layout.palette("no report was read", .alarm)
    }
    var text: VisibleText =
      fresh == 0 ? "no findings" : "\(fresh) \(fresh == 1 ? "finding" : "findings")"
    let earlier = report.entries.filter { !$0.isKnown && report.isEarlier($0) }
    if !isVerbose, !earlier.isEmpty {
      text += ", and \(DefectGroup.groups(of: earlier).count) in earlier runs; --verbose shows all"
    }
    let allowed = report.entries.filter { $0.isAllowed && !$0.isInBaseline }.count
    if known > allowed { text += ", and \(known - allowed) in the baseline" }
    if allowed > 0 { text += ", and \(allowed) allowed" }
    return layout.palette(text, .quiet)
  }

  // MARK: Recordings

  private static let ownFormat = "breadcrumbs"

  /// The maximum number of paragraphs about recordings in a report on many, the newest.
  private static let mostListed = 20

  /// Returns the list of the recordings for a report on many, in which the findings lead.
  private func listed(_ runs: [VisibleText], isFirst: Bool) -> VisibleText {
    let shown = isVerbose ? runs[...] : runs.suffix(Self.mostListed)
    let older = runs.count - shown.count
    let rest: VisibleText =
      older == 0 ? "" : "and \(grouped(UInt64(older))) older; --verbose lists all\n"
    return (isFirst ? "" : "\n") + shown.joined(by: "") + rest
  }

  /// Returns the paragraph of each recording; equal consecutive paragraphs are written once.
  private func recordings(of report: Report) -> [VisibleText] {
    var groups: [(text: VisibleText, details: VisibleText, count: Int)] = []
    let earlier = isVerbose ? [] : Set(report.earlier)
    for (place, recording) in report.recordings.enumerated() where !earlier.contains(place) {
      let text = heading(recording)
      let details =
        said(recording) + answers(recording)
        + (recording.shortfall.map { paragraph("  ", words: $0, indent: 4) } ?? "")
        + missing(recording)
      if let last = groups.last, last.text.string == text.string,
        last.details.string == details.string
      {
        groups[groups.count - 1].count += 1
      } else {
        groups.append((text, details, 1))
      }
    }
    return groups.map { group in
      let count: VisibleText =
        group.count > 1 ? " (\(grouped(UInt64(group.count))) times)" : ""
      return group.text + count + "\n" + group.details
    }
  }

  private func heading(_ recording: RecordingSummary) -> VisibleText {
    let name = recording.executable.split(separator: "/").last.map(String.init) ?? recording.input
    var text = layout.palette(
      "\([name, recording.release].compactMap { $0 }.joined(separator: " "))", .heading)
    let process = recording.process > 0 ? "process \(recording.process)" : nil
    let about = [recording.environment, process].compactMap { $0 }.joined(separator: ", ")
    if !about.isEmpty { text += " (\(about))" }
    text += ", " + crumbs(recording.extent.events)
    if recording.lastSeen > recording.opened, recording.opened > 0 {
      text += " in \(TimeSpan.text(nanoseconds: recording.lastSeen - recording.opened))"
    }
    text += ": " + ending(recording)
    if case .crash = recording.ending, recording.format != Self.ownFormat {
      text += ", read as \(recording.format)"
    }
    if let reports = recording.sameCrash {
      let names = reports.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
      text += ", also reported in \(Set(names).sorted().joined(separator: " and "))"
    }
    return text
  }

  /// Returns the subject of a report, if no finding covers it.
  private func said(_ recording: RecordingSummary) -> VisibleText {
    guard recording.counts.isEmpty, let subject = recording.subject, !subject.isEmpty else {
      return ""
    }
    return paragraph("  ", words: subject, indent: 2)
  }

  /// Returns what the run did not record, because its build, kernel or container took the feature away.
  private func missing(_ recording: RecordingSummary) -> VisibleText {
    let features = recording.missingFeatures ?? []
    if features.isEmpty { return "" }
    return paragraph(
      "  ", words: "This run recorded less than usual: \(features.joined(separator: "; "))",
      indent: 4)
  }

  /// Returns the response times of watched executors over time, if a response was too slow.
  private func answers(_ recording: RecordingSummary) -> VisibleText {
    (recording.answers ?? []).filter { isVerbose || $0.worst.isLate }.map { times in
      paragraph("  ", words: answers(times, recording.lastSeen), indent: 4)
    }.joined(by: "")
  }

  private func answers(_ times: AnswerTimes, _ end: UInt64) -> String {
    let ago = end - min(end, times.worst.wall)
    let when =
      ago < 60_000_000_000
      ? "in the last minute" : "\(TimeSpan.text(nanoseconds: ago)) before the end"
    let half = times.minutes.last.map { TimeSpan.text(microseconds: $0.median) } ?? ""
    let bars = sparks(times.minutes.map { Int(clamping: $0.slowest) }, 60)
    return
      "\(times.executor) took up to \(TimeSpan.text(microseconds: times.worst.slowest)) to answer (\(when)); "
      + "median of the last minute: \(half); slowest answer of each minute: \(bars)"
  }

  private func crumbs(_ count: Int) -> VisibleText {
    switch count {
    case 0: "no crumbs"
    case 1: "1 crumb"
    default: "\(grouped(UInt64(clamping: count))) crumbs"
    }
  }

  private func ending(_ recording: RecordingSummary) -> VisibleText {
    let role: TextRole =
      switch recording.ending {
      case .crash: .fatal
      case .reported: .plain
      default: recording.ending.isClean ? .good : .alarm
      }
    return layout.palette("\(recording.manner ?? RunOutcome(recording.ending).words)", role)
  }

  // MARK: Findings

  func finding(_ entry: Report.Entry, isBrief: Bool = false) -> VisibleText {
    let finding = entry.finding
    let palette = layout.palette
    var text = palette("\(finding.severity.rawValue)", role(finding.severity))
    text += " " + palette("\(finding.rule)", .heading) + often(entry) + "\n"
    text += paragraph("  ", words: finding.title, indent: 2)
    text += culprit(finding)
    if isBrief { return text + fix(Finding.Fix(finding.fix.text)) }
    let facts = isVerbose ? finding.evidence : finding.evidence.filter { !$0.isDetail }
    text += section("because", table(facts.map { [evidence($0)] }))
    text += section("how it got there", steps(finding))
    text += section("crumbs around it", table(nearest(finding.nearby).map(nearby)))
    text += fix(finding.fix)
    return text
  }

  private func often(_ entry: Report.Entry) -> VisibleText {
    if entry.recordings > 1 {
      return ", \(entry.count) times in \(entry.recordings) recordings"
    }
    return entry.count > 1 ? ", \(entry.count) times" : ""
  }

  private func culprit(_ finding: Finding) -> VisibleText {
    guard let culprit = finding.culprit else { return "" }
    var text: VisibleText = "  " + layout.palette("open first", .quiet) + "  "
    text += layout.palette(
      "\(culprit.name.isEmpty ? culprit.module : culprit.name)", .function)
    if let position = position(culprit) {
      let fits = layout.width.map { text.width + 2 + position.width <= $0 } ?? true
      text += (fits ? "  " : "\n" + .indent(14)) + position
    }
    text += "\n"
    if culprit.source != nil { text += "    " + quote(culprit) + "\n" }
    return text
  }

  /// The maximum length of a quoted source line.
  private static let mostQuoted = 120

  private static func clipped(_ text: String) -> String {
    text.count > mostQuoted ? text.prefix(mostQuoted - 1) + "…" : text
  }

  private func position(_ place: CodePlace) -> VisibleText? {
    guard let file = place.file else { return nil }
    let line = place.line.map { ":\($0)" } ?? ""
    return layout.palette("\(layout.path(file))\(line)", .place)
  }

  private func evidence(_ evidence: Finding.Evidence) -> VisibleText {
    guard evidence.place != nil else { return "\(evidence.text)" }
    return "\(evidence.text): " + place(evidence.place)
  }

  /// Returns the steps of the cause, one line per function. A thread and queue are printed above
  /// the functions when they change.
  private func steps(_ finding: Finding) -> [VisibleText] {
    var lines: [VisibleText] = []
    var last = ""
    var rows: [[VisibleText]] = []
    func end() {
      let isInner = !last.isEmpty
      lines += ColumnTable(rows).lines(layout, indent: isInner ? 6 : 4).map {
        isInner ? "  " + $0 : $0
      }
      rows = []
    }
    for step in Self.withoutRepeats(finding.cause) {
      let stands = step.thread + (step.queue.map { $0.isEmpty ? "" : ", \($0)" } ?? "")
      if stands != last, !step.thread.isEmpty {
        end()
        last = stands
        lines.append("\(stands)")
      }
      rows.append(row(step))
    }
    end()
    return lines
  }

  /// Returns the place of a step, with its source line or the function's name.
  private func row(_ step: Finding.Step) -> [VisibleText] {
    let what = Self.plain.contains(step.text) ? "" : step.text
    guard let place = step.place else { return ["\(what)"] }
    let quoted = quote(place)
    let function = place.header == nil ? VisibleText(place.name) : ""
    let told =
      ["\(what)\(what.isEmpty || quoted.isEmpty && function.isEmpty ? "" : ": ")", function]
      .joined(by: "") + (function.isEmpty || quoted.isEmpty ? "" : layout.palette(" │ ", .quiet))
      + quoted
    return [place.shortPosition.map { layout.palette("\($0)", .place) } ?? "", told]
  }

  /// The step texts of ordinary frames, which are not printed.
  private static let plain: Set = ["ran", "awaits"]

  /// Keeps only the innermost line of a function that awaits its own closure.
  private static func withoutRepeats(_ steps: [Finding.Step]) -> [Finding.Step] {
    var kept: [Finding.Step] = []
    for step in steps {
      if let last = kept.last, plain.contains(last.text), let one = last.place?.function,
        one == step.place?.function, step.thread == last.thread
      {
        let isLess = step.place?.line == nil && plain.contains(step.text)
        kept[kept.count - 1] = last.place?.line != nil && isLess ? last : step
      } else {
        kept.append(step)
      }
    }
    return kept
  }

  /// Returns a source line after the declaration that contains the line.
  private func quote(_ place: CodePlace) -> VisibleText {
    guard let line = place.source else { return "" }
    guard let header = place.header, !line.hasPrefix(header) else { return "\(Self.clipped(line))" }
    return "\(Self.clipped(header))" + layout.palette(" │ ", .quiet) + "\(Self.clipped(line))"
  }

  private func place(_ place: CodePlace?) -> VisibleText {
    guard let place else { return "" }
    let position: VisibleText = place.shortPosition.map { "  \($0)" } ?? ""
    return "\(place.name)" + layout.palette(position, .place)
  }

  /// Returns the last four crumbs before the event and the first one after the event; all of them
  /// if verbose.
  private func nearest(_ crumbs: [Finding.Nearby]) -> [Finding.Nearby] {
    if isVerbose { return crumbs }
    let later = crumbs.prefix { $0.offset.map { $0 <= 0 } ?? true }.count
    return crumbs[..<later].suffix(4) + crumbs[later...].prefix(1)
  }

  private func nearby(_ crumb: Finding.Nearby) -> [VisibleText] {
    return [
      crumb.offset.map(distance) ?? "",
      IncidentThread.isNumber(crumb.thread) && isVerbose ? "thread \(crumb.thread)" : "",
      "\(crumb.queue)",
      "\(crumb.text)",
    ]
  }

  private func distance(_ offset: Int64) -> VisibleText {
    if offset == 0 { return "here" }
    return "\(offset < 0 ? "-" : "+")\(TimeSpan.text(nanoseconds: offset.magnitude))"
  }

  private func fix(_ fix: Finding.Fix) -> VisibleText {
    if fix.text.isEmpty { return "" }
    var text = paragraph("  " + layout.palette("fix", .good) + "  ", words: fix.text, indent: 8)
    for edit in fix.edits {
      let heading = edit.heading(layout.path(edit.file))
      text += paragraph("      ", words: VisibleText(heading).words, role: .place, indent: 6)
      for line in edit.outdented {
        text += (line.isEmpty ? "" : "        ") + layout.palette("\(line)", .function) + "\n"
      }
    }
    return text
  }

  func table(_ rows: [[VisibleText]]) -> [VisibleText] {
    ColumnTable(rows).lines(layout, indent: 4)
  }

  func section(_ name: VisibleText, _ lines: [VisibleText]) -> VisibleText {
    guard !lines.isEmpty else { return "" }
    return lines.reduce("  " + layout.palette(name, .quiet) + "\n") { $0 + "    " + $1 + "\n" }
  }

  private func paragraph(_ head: VisibleText, words: String, indent: Int) -> VisibleText {
    paragraph(head, words: VisibleText(words).words, indent: indent)
  }

  private func paragraph(
    _ head: VisibleText, words: [VisibleText], role: TextRole = .plain, indent: Int
  ) -> VisibleText {
    let words = words.map { (text: $0, role: role) }
    return layout.fill(head: head, headWidth: indent, words: words, indent: indent) + "\n"
  }

  private func role(_ severity: Severity) -> TextRole {
    switch severity {
    case .error: .alarm
    case .warning: .caution
    case .note: .quiet
    }
  }
}
