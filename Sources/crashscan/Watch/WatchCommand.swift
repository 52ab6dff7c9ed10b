import BreadcrumbLog
import CrumbViews
import Glibc
import IncidentModel

extension Command {
  /// A running service, live.
  static let watch = Command(
    name: "watch", summary: "a running service, live, by the log it writes",
    discussion: [
      "LOG is only read, so the service does not notice. A log that is not there yet is waited for. "
        + "On a terminal a screen shows threads, queues, crumbs, hops, violations and the main queue's "
        + "last sign of life; ? says what keys do. Elsewhere each new crumb is a line, and watch ends "
        + "when the service has ended: with 0 if that was as it should be, with 1 if not."
    ],
    examples: [
      Example(line: "crashscan watch breadcrumbs.log", summary: "Look on while a service runs."),
      Example(
        line: "crashscan watch breadcrumbs.log --category violation --follow | logger",
        summary: "Hand each violation of this run, and of those to come, to the system's log."),
    ],
    operands: Operand(placeholder: "LOG", nature: .file, count: 1...1),
    options: [
      Option<Bool>.plain.entry, Option<Bool>.nextRun.entry, Option<Int>.backlog.entry,
      Option.watchedThread.entry, Option.watchedCategory.entry, Option.watchedText.entry,
      Option.noColor.entry,
    ],
    run: { invocation in
      do throws(LogReadingError) {
        return try runWatch(invocation)
      } catch {
        tell("\(error.description)")
        return .unreadableInput
      }
    })
}

private func runWatch(_ invocation: Invocation) throws(LogReadingError) -> ExitCode {
  var filter = WatchFilter()
  filter.text = invocation[.watchedText] ?? ""
  filter.thread = invocation[.watchedThread] ?? ""
  filter.category = invocation[.watchedCategory] ?? ""
  let path = invocation.operands[0]
  // What stands there and is no log would be waited for in vain.
  if fileExists(path) { _ = try LogReader(path: path) }
  WatchSignals.watchForEnd()
  guard TerminalScreen.isThere, !invocation[.plain] else {
    let lines = WatchLines(
      session: WatchSession(path: path, waitsForNext: invocation[.nextRun]), filter: filter,
      backlog: invocation[.backlog] ?? 10, isPlain: invocation[.noColor],
      follows: invocation[.nextRun])
    return try lines.run()
  }
  var screen = WatchLoop(
    session: WatchSession(path: path, waitsForNext: true), filter: filter,
    isPlain: invocation[.noColor])
  return try screen.run()
}

extension Option where Value == Bool {
  fileprivate static let plain = Option(
    flag: "plain", summary: "Write lines on a terminal too, as elsewhere")
  fileprivate static let nextRun = Option(
    flag: "follow", summary: "Where lines are written: go on with the next run at the same path")
}

extension Option where Value == Int {
  fileprivate static let backlog = Option(
    "last", takes: "N", "a whole number",
    summary: "Where lines are written: begin with the newest N crumbs (10 unless given)",
    read: { Int($0).flatMap { $0 >= 0 ? $0 : nil } })
}

extension Option where Value == String {
  fileprivate static let watchedThread = Option(
    "thread", takes: "T", "a thread's kernel id or name",
    summary: "Only crumbs of threads with T in their id or name", read: { $0 })
  fileprivate static let watchedCategory = Option(
    "category", takes: "C", "a category or kind",
    summary: "Only crumbs with C in their category or kind, such as violation", read: { $0 })
  fileprivate static let watchedText = Option(
    "text", takes: "TEXT", "a text",
    summary: "Only crumbs with TEXT in their message, data or queue", read: { $0 })
}
