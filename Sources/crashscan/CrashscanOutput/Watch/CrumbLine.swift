import DeathRecords
import IncidentModel
import CLogFormat
import TextOutput

/// Writes a crumb in one line, for the live view.
package struct CrumbLine {
  private var clock = LocalClock()

  package init() {}

  /// Returns the crumb in a line of any length.
  package mutating func line(_ crumb: Crumb, _ thread: IncidentThread?) -> ScreenLine {
    var line = ScreenLine()
    line.add(time(of: crumb) + "  ")
    line.add(column: Self.name(thread, crumb.thread), 21, .quiet)
    switch crumb.onMain {
    case .yes: line.add("main ", .good)
    case .no:
      line.add("off  ", crumb.kind == .violation || crumb.kind == .uiWork ? .alarm : .quiet)
    case .unknown: line.add("?    ", .quiet)
    }
    line.add(column: crumb.queue.map { Self.name($0.label) } ?? "-", 22, .quiet)
    line.add(Self.text(of: crumb))
    return line
  }

  /// Returns the time of the crumb, in local time.
  mutating func time(of crumb: Crumb) -> String {
    clock.clock(WallTime(nanoseconds: crumb.wall))
  }

  /// Returns the thread's kernel id and name.
  static func name(_ thread: IncidentThread?, _ ordinal: Int) -> String {
    guard let thread else { return "#\(ordinal)" }
    return thread.name.isEmpty ? "\(thread.kernelID)" : "\(thread.kernelID) \(thread.name)"
  }

  /// Returns a queue's label, or a readable name for the main queue and for unnamed queues.
  static func name(_ label: String) -> String {
    if label.isEmpty { return "unnamed queue" }
    return label == WatchState.mainLabel ? "main queue" : label
  }

  /// Returns the text of the crumb.
  static func text(of crumb: Crumb) -> ScreenLine {
    var line = ScreenLine()
    line.add(crumb.heading + ": ", crumb.kind == .violation ? .fatal : .place)
    line.add(crumb.message, crumb.role)
    if case .integer(let took)? = crumb[MS_KEY_NANOSECONDS] {
      let span = TimeSpan.text(nanoseconds: UInt64(clamping: took))
      line.add(crumb.kind == .hop ? " after \(span)" : " took \(span)")
    }
    for (key, value) in crumb.dataBesidesStacks
    where key != MS_KEY_NANOSECONDS && !crumb.kind.isMark(key) {
      line.add(" \(key)=", .quiet)
      line.add(value.description, .quiet)
    }
    if let hop = crumb.hop { line.add(" hop=\(hop)", .quiet) }
    return line
  }
}

extension Crumb {
  fileprivate var heading: String {
    switch kind {
    case .note: category.isEmpty ? "note" : category
    case .error: category.isEmpty ? "error" : "error, \(category)"
    case .hang where WatchedKind(category).map { $0 != .mainQueue } == true:
      "hang, \(category)"
    case .lifecycle, .uiWork, .violation, .hop, .backgroundTask, .hang:
      kind.name.replacing("-", with: " ")
    }
  }

  fileprivate var role: TextRole {
    switch level {
    case .debug: .quiet
    case .info, .notice: kind == .lifecycle ? .heading : .plain
    case .warning: kind == .violation ? .alarm : .caution
    case .error: .alarm
    case .fatal: .fatal
    }
  }
}
