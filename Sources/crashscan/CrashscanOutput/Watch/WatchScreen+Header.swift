import DeathRecords
import IncidentModel
import TextOutput

extension WatchScreen {
  /// The process, the state of the main queue, and the totals.
  var header: [ScreenLine] {
    if state.run == .waiting { return [who] }
    return [who, mainQueue, numbers] + (state.answers.isEmpty ? [] : [answers])
      + (state.run != .running || state.shutdown.unended.isEmpty ? [] : [shutdown])
  }

  private var who: ScreenLine {
    var line = ScreenLine()
    let name = state.process?.executable.split(separator: "/").last.map(String.init)
    line.add(name ?? "crashscan watch", .heading)
    if let process = state.process {
      if let release = process.release { line.add(" \(release)", .heading) }
      if let environment = process.environment { line.add("  \(environment)", .plain) }
      line.add("  process \(process.id)", .plain)
    }
    switch state.run {
    case .waiting: break
    case .running:
      let since = state.process.map { state.now - min(state.now, $0.openedMonotonic) } ?? 0
      line.add("  running", .good)
      line.add(" for \(TimeSpan.text(nanoseconds: since))", .plain)
    case .ended(let verdict, let isClean): line.add("  \(verdict)", isClean ? .good : .fatal)
    }
    if state.runs > 1 { line.add("  run \(state.runs)", .quiet) }
    let path = ScreenLine(state.path, .quiet)
    if line.cells + path.cells + 2 <= width {
      line.add(String(repeating: " ", count: width - line.cells - path.cells))
      line.add(path)
    }
    return line
  }

  private var mainQueue: ScreenLine {
    var line = ScreenLine("main queue ", .quiet)
    line.add(beat)
    if let other = state.hanging, other != .mainQueue, state.run == .running {
      line.add("   ")
      line.add(hang(of: "\(other.text) "))
    }
    // The first line already states that the process runs.
    if let phase = state.phase, phase != .running { line.add("   \(phase.rawValue)", .place) }
    if !state.tasks.isEmpty {
      let count = state.tasks.count
      line.add("   \(count) background task\(count == 1 ? "" : "s")")
    }
    return line
  }

  /// The time since the last sign of life of the main queue.
  private var beat: ScreenLine {
    if state.run != .running { return ScreenLine("●", .quiet) }
    if state.hanging == .mainQueue { return hang(of: "") }
    guard let last = state.lastOnMain else { return ScreenLine("○ no crumb yet", .quiet) }
    let age = state.now - min(state.now, last)
    // An idle service records no main-queue crumbs either.
    let isFresh = age < 5_000_000_000
    var line = ScreenLine(isFresh ? "● " : "○ ", isFresh ? .good : .quiet)
    line.add("last sign \(TimeSpan.text(nanoseconds: age)) ago", isFresh ? .plain : .quiet)
    return line
  }

  /// The response times of watched executors in the last minute, slowest first.
  private var answers: ScreenLine {
    var line = ScreenLine("answers    ", .quiet)
    let slowestFirst = state.answers.sorted {
      ($1.value.slowest, $0.key) < ($0.value.slowest, $1.key)
    }
    for (executor, minute) in slowestFirst {
      line.add("\(executor) ")
      line.add(TimeSpan.text(microseconds: minute.median), .heading)
      line.add(", slowest ", .quiet)
      line.add(
        "\(TimeSpan.text(microseconds: minute.slowest))   ", minute.isLate ? .alarm : .plain)
    }
    return line
  }

  /// The services that have not ended, and the waiting tasks.
  private var shutdown: ScreenLine {
    var line = ScreenLine("shutdown   ", .quiet)
    for service in state.shutdown.unended {
      let since = service.askedToEnd ?? state.now
      let span = TimeSpan.text(nanoseconds: state.now - min(state.now, since))
      line.add("service \(service.name) was asked to end \(span) ago   ", .alarm)
    }
    for wait in state.shutdown.holders.prefix(2) {
      line.add("task \(wait.task) waits in \(wait.place)   ", .plain)
    }
    return line
  }

  private func hang(of what: String) -> ScreenLine {
    let since = state.hangingSince ?? state.now
    let span = TimeSpan.text(nanoseconds: state.now - min(state.now, since))
    return ScreenLine("✗ \(what)does not answer for \(span)", .fatal)
  }

  private var numbers: ScreenLine {
    var line = ScreenLine("crumbs     ", .quiet)
    line.add("\(grouped(UInt64(state.rate.perSecond)))/s", .heading)
    line.add(" \(sparks(state.rate.seconds, 24)) ", .place)
    line.add("\(grouped(UInt64(state.rate.total))) seen")
    line.add("   violations ", .quiet)
    line.add("\(state.violationCount)", state.violationCount > 0 ? .fatal : .plain)
    line.add("   errors ", .quiet)
    line.add("\(state.errorCount)", state.errorCount > 0 ? .alarm : .plain)
    let dropped = state.losses.droppedInAll
    if dropped > 0 { line.add("   never written \(grouped(dropped))", .caution) }
    return line
  }

  /// The available keys, or the text that the user is typing.
  var footer: ScreenLine {
    if let prompt = controls.prompt {
      var line = ScreenLine("\(prompt.rawValue): ", .heading)
      line.add(controls.typed)
      line.add("▏", .place)
      line.add("  enter: apply, empty: show all, escape: cancel", .quiet)
      return line
    }
    var line = ScreenLine()
    if controls.isPaused { line.add("PAUSED  ", .caution) }
    for (key, what) in [
      ("q", "quit"), ("?", "help"), ("space", "pause"), ("/", "find"), ("t", "thread"),
      ("c", "category"), ("tab", "next view"),
    ] {
      line.add(key, .heading)
      line.add(" \(what)  ", .quiet)
    }
    if !controls.filter.isEmpty { line.add("only \(controls.filter.words) (esc: all)", .caution) }
    return line
  }

  var help: [ScreenLine] {
    var lines = [title("help", "press any key to close")]
    for (keys, what) in [
      ("1 … 6, tab", "overview, crumbs, violations, threads, queues, hops"),
      ("↑ ↓, k j", "a line up or down"), ("page up, page down, b f", "a page up or down"),
      ("g G, home end", "to the oldest, to the newest"),
      ("space, p", "pause and continue the view; the service keeps running"),
      ("/", "only crumbs with a text in message, data or queue"),
      ("t", "only crumbs of threads with a text in name or id"),
      ("c", "only crumbs of a category or kind, such as violation"),
      ("escape", "all crumbs again"), ("q, Ctrl-C", "quit"), ("Ctrl-Z", "suspend; fg continues"),
    ] {
      var line = ScreenLine("  ")
      line.add(column: keys, 26, .heading)
      line.add(what)
      lines.append(line)
    }
    lines += [
      ScreenLine(),
      ScreenLine("  A red “off” marks a crumb that should have been on the main queue.", .quiet),
      ScreenLine(
        "  “last sign” is the age of the main queue's last crumb; the service itself reports hangs.",
        .quiet),
    ]
    return lines
  }
}
