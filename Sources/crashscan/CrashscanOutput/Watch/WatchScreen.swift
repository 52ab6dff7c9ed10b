import DeathRecords
import IncidentModel

/// Lays out the state of a service as lines of a screen: a pure function of the state, the controls
/// and the size.
package struct WatchScreen {
  let state: WatchState
  let controls: WatchControls
  let threads: [Int: IncidentThread]
  let width: Int
  let height: Int

  static let smallest = (width: 24, height: 6)

  /// Creates a screen.
  ///
  /// - Parameter threads: The service's threads by ordinal.
  package init(
    _ state: WatchState, _ controls: WatchControls, threads: [Int: IncidentThread], width: Int,
    height: Int
  ) {
    self.state = state
    self.controls = controls
    self.threads = threads
    self.width = width
    self.height = height
  }

  /// Returns exactly as many lines as the screen has, none wider than the screen.
  package func lines() -> [ScreenLine] {
    guard width >= Self.smallest.width, height >= Self.smallest.height else {
      return fitted([ScreenLine("terminal too small", .caution)])
    }
    let head = header
    let room = height - head.count - 1
    var body = controls.showsHelp ? help : content(room)
    body = Array(body.prefix(room))
    body += Array(repeating: ScreenLine(), count: room - body.count)
    return fitted(head + body + [footer])
  }

  /// The number of list lines per page.
  package var page: Int { max(1, height - header.count - 3) }

  /// The maximum scroll position of the current list.
  package var mostScroll: Int {
    switch controls.view {
    case .overview, .crumbs: matching(limit: .max).count - 1
    case .violations: state.violations.count - 1
    case .threads: state.threads.count - 1
    case .queues: state.queues.count - 1
    case .hops: 0
    }
  }

  private func fitted(_ lines: [ScreenLine]) -> [ScreenLine] {
    lines.prefix(height).map { line in
      var line = line
      line.cut(width)
      return line
    }
  }

  private func content(_ room: Int) -> [ScreenLine] {
    if state.run == .waiting { return waiting }
    switch controls.view {
    case .overview: return overview(room)
    case .crumbs: return [title("crumbs", crumbNote)] + crumbLines(room - 1)
    case .violations: return violationLines(room)
    case .threads:
      return [title("threads", "\(state.threads.count)")] + threadTable(room - 1, width)
    case .queues: return [title("queues", "\(state.queues.count)")] + queueTable(room - 1, width)
    case .hops:
      return [title("hops, from arrival to run", "last minute")] + histogram(room - 1, width)
    }
  }

  private var waiting: [ScreenLine] {
    [ScreenLine(), ScreenLine("  waiting for a service to open \(state.path)", .caution)]
  }

  // MARK: Overview

  private func overview(_ room: Int) -> [ScreenLine] {
    let isWide = width >= 100
    var tables: [ScreenLine] = []
    // The crumbs get at least half of the screen.
    let most = max(0, room / 2 - 1)
    if isWide {
      let left = width / 2
      let sides = [
        titled("threads", threadTable(most / 2, left - 2), width: left - 1)
          + titled("queues", queueTable(most - most / 2 - 2, left - 2), width: left - 1),
        titled("hops, last minute", histogram(most - 1, width - left - 1), width: width - left),
      ]
      tables = Self.beside(sides[0], sides[1], left).prefix(most).map { $0 }
    } else if most >= 4 {
      tables = titled("threads", threadTable(most / 2 - 1, width), width: width)
      tables += titled("queues", queueTable(most - tables.count - 1, width), width: width)
    }
    let violations = titled(
      "violations", newestViolations(min(3, max(0, room - tables.count - 6))), width: width)
    if state.violationCount > 0, room - tables.count > 6 { tables += violations }
    return tables + [title("crumbs", crumbNote)] + crumbLines(room - tables.count - 1)
  }

  private func titled(_ name: String, _ lines: [ScreenLine], width: Int) -> [ScreenLine] {
    [title(name, "", width: width)] + lines
  }

  /// Returns two blocks of lines side by side, the second one starting at `column`.
  private static func beside(
    _ left: [ScreenLine], _ right: [ScreenLine], _ column: Int
  ) -> [ScreenLine] {
    (0..<max(left.count, right.count)).map { index in
      var line = index < left.count ? left[index] : ScreenLine()
      line.fit(column)
      if index < right.count { line.add(right[index]) }
      return line
    }
  }

  /// Returns a horizontal rule that contains a name, and a note at its right end.
  func title(_ name: String, _ note: String, width: Int? = nil) -> ScreenLine {
    let width = width ?? self.width
    var line = ScreenLine("── ", .quiet)
    line.add(name, .heading)
    line.add(" ", .quiet)
    let end = ScreenLine(note.isEmpty ? "" : " \(note) ─", .quiet)
    let gap = width - line.cells - end.cells
    if gap > 0 { line.add(String(repeating: "─", count: gap), .quiet) }
    line.add(end)
    line.cut(width)
    return line
  }

  // MARK: Crumbs

  private var crumbNote: String {
    var notes: [String] = []
    if !controls.filter.isEmpty { notes.append(controls.filter.words) }
    if controls.isPaused { notes.append("paused") }
    return notes.joined(separator: ", ")
  }

  /// Returns the newest crumbs, with the newest at the bottom.
  func crumbLines(_ room: Int) -> [ScreenLine] {
    guard room > 0 else { return [] }
    var writer = CrumbLine()
    let found = matching(limit: room + controls.scroll)
    return found.dropFirst(controls.scroll).prefix(room).reversed().map {
      brief(&writer, $0)
    }
  }

  private func brief(_ writer: inout CrumbLine, _ crumb: Crumb) -> ScreenLine {
    let thread = threads[crumb.thread]
    if width >= 90 { return writer.line(crumb, thread) }
    var line = ScreenLine()
    line.add(writer.time(of: crumb) + " ", .quiet)
    line.add(CrumbLine.text(of: crumb))
    return line
  }

  /// Returns the crumbs that match the filter, newest first.
  private func matching(limit: Int) -> [Crumb] {
    var found: [Crumb] = []
    for index in stride(from: state.crumbs.count - 1, through: 0, by: -1) {
      if found.count >= limit { break }
      let crumb = state.crumbs[index]
      let name = CrumbLine.name(threads[crumb.thread], crumb.thread)
      if controls.filter.matches(crumb, thread: name) { found.append(crumb) }
    }
    return found
  }
}
