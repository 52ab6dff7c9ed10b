import DeathRecords
import IncidentModel
import CLogFormat
import TextOutput

/// Writes a log's crumbs for people: one line each, followed by its stack.
package struct CrumbListing: CrumbView {
  private let summary: LogSummary
  private let layout: TextLayout
  private let isVerbose: Bool
  private var columns = CrumbColumns()
  private var stacks: StackListing
  private var clock = LocalClock()
  private var day = ""
  private var previous: UInt64?
  private var known: Incident?
  private var crash: CrashListing?
  private var isCrashShown = false

  package init(path: String, layout: TextLayout, isVerbose: Bool, resolver: StackResolver) {
    summary = LogSummary(path: path, layout: layout, isVerbose: isVerbose)
    self.layout = layout
    self.isVerbose = isVerbose
    stacks = StackListing(layout: layout, isVerbose: isVerbose, resolver: resolver)
  }

  package mutating func begin(_ incident: Incident) -> String {
    if let process = incident.process {
      day = clock.date(WallTime(nanoseconds: process.openedWall))
    }
    known = incident
    return summary.header(incident).string
  }

  package mutating func learn(_ incident: Incident, showing crumbs: [Crumb]) {
    columns.fit(crumbs, of: incident, isVerbose: isVerbose)
    stacks.use(incident.modules)
    crash = summary.crash(incident)
  }

  package mutating func crumb(_ crumb: Crumb) -> String {
    var text = crashBefore(crumb)
    text += dayLine(WallTime(nanoseconds: crumb.wall)) + line(crumb) + "\n"
    if let stack = crumb.stack { text += stacks.text(of: stack, when: crumb.monotonic) }
    if let origin = crumb.originStack, let heading = crumb.originHeading {
      text += "      " + layout.palette("\(heading):", .place) + "\n"
      text += stacks.text(of: origin, when: crumb.monotonic)
    }
    return text.string
  }

  package mutating func end(_ incident: Incident) -> String {
    crash = summary.crash(incident)
    let closing = summary.closing(incident, known: known ?? incident)
    return (shownCrash() + "\n" + stacks.shortcomings() + closing).string
  }

  /// Returns a survived crash that precedes the crumb. An incomplete crash record comes at the end
  /// instead.
  private mutating func crashBefore(_ crumb: Crumb) -> VisibleText {
    guard let crash = crash?.crash, crash.stage != .unfinished, crash.monotonic < crumb.monotonic
    else { return "" }
    return shownCrash()
  }

  private mutating func shownCrash() -> VisibleText {
    guard let listing = crash, !isCrashShown else { return "" }
    isCrashShown = true
    let time = WallTime(nanoseconds: listing.crash.wall)
    var text = dayLine(time) + "\(clock.clock(time)) "
    text += layout.palette(delta(to: listing.crash.monotonic), .quiet) + "  "
    text += layout.palette(listing.headline, .fatal) + "\n"
    return text + listing.text(&stacks)
  }

  private mutating func dayLine(_ time: WallTime) -> VisibleText {
    let today = clock.date(time)
    guard today != day else { return "" }
    day = today
    return layout.palette("\(today)\n", .heading)
  }

  private mutating func line(_ crumb: Crumb) -> VisibleText {
    let palette = layout.palette
    let time: VisibleText = "\(clock.clock(WallTime(nanoseconds: crumb.wall)))"
    let (thread, queue) = (columns.thread(crumb), columns.queue(crumb))
    let place = thread.padded(to: columns.threadWidth), on = queue.padded(to: columns.queueWidth)
    let mark = crumb.mainMark(palette)
    let level = palette(VisibleText(crumb.level.name).padded(to: 7), crumb.level.role)
    let start = time + " " + palette(delta(to: crumb.monotonic), .quiet) + "  "
    // If the columns leave no room for the message, the thread and queue follow the message.
    let wide = 40 + place.width + on.width + 2
    if let width = layout.width, width < wide + 24 {
      let words = words(crumb) + [("(\(thread), \(queue))", .quiet)]
      return layout.fill(
        head: start + mark + "  " + level + "  ", headWidth: 38, words: words, indent: 22)
    }
    let head = start + palette(place, .quiet) + "  " + mark + "  " + palette(on, .quiet) + "  "
    return layout.fill(
      head: head + level + "  ", headWidth: wide, words: words(crumb), indent: 22)
  }

  private mutating func delta(to monotonic: UInt64) -> VisibleText {
    defer { previous = monotonic }
    guard let previous else { return VisibleText.indent(8) }
    let text: VisibleText =
      monotonic >= previous
      ? "+\(TimeSpan.text(nanoseconds: monotonic - previous))"
      : "-\(TimeSpan.text(nanoseconds: previous - monotonic))"
    return text.rightAligned(to: 8)
  }

  private func words(_ crumb: Crumb) -> [(text: VisibleText, role: TextRole)] {
    var words: [(text: VisibleText, role: TextRole)] = []
    if let heading = crumb.heading { words.append(("\(heading):", .place)) }
    words += VisibleText(crumb.message).words.map { ($0, crumb.level.messageRole) }
    if crumb.isMessageCut { words.append(("[cut]", .caution)) }
    // A toolkit's list contains advice in six languages.
    let isAdvice = crumb.category == MS_WORD_TOOLKIT_FIX
    let data = crumb.dataBesidesOrigin.filter {
      isVerbose || !(isAdvice || crumb.kind.isMark($0.key))
    }
    words += data.map { ("\($0.key)=\($0.value.quoted)", .quiet) }
    if crumb.isDataCut { words.append(("[cut]", .caution)) }
    if let hop = crumb.hop { words.append(("hop=\(hop)", .quiet)) }
    if crumb.isInterrupting { words.append(("[in a signal handler]", .caution)) }
    if isVerbose { words.append(("#\(crumb.number)", .quiet)) }
    return words
  }
}

extension Crumb {
  /// The category, with the kind unless the kind is implied.
  fileprivate var heading: String? {
    // A plain note needs no kind, and the level shows an error.
    if kind == .note || kind == .error { return category.isEmpty ? nil : category }
    let name = kind.name.replacing("-", with: " ")
    return category.isEmpty || category == name ? name : "\(name), \(category)"
  }

  fileprivate func mainMark(_ palette: Palette) -> VisibleText {
    switch onMain {
    case .yes: palette("main", .good)
    case .no: palette("off ", kind == .violation || kind == .uiWork ? .alarm : .quiet)
    case .unknown: palette("?   ", .quiet)
    }
  }
}

extension CrumbLevel {
  fileprivate var role: TextRole {
    switch self {
    case .debug, .info: .quiet
    case .notice: .plain
    case .warning: .caution
    case .error: .alarm
    case .fatal: .fatal
    }
  }

  fileprivate var messageRole: TextRole { self == .debug ? .quiet : self == .info ? .plain : role }
}

extension CrumbValue {
  /// The value; strings that would not read as one word are quoted.
  fileprivate var quoted: VisibleText {
    guard case .string(let text) = self else { return VisibleText(description) }
    let isWord = !text.isEmpty && !text.utf8.contains { $0 == 0x20 || $0 == 0x22 || $0 == 0x3D }
    if isWord { return VisibleText(text) }
    return "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
  }
}
