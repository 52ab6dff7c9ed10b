import LogReading
import CrashscanOutput
import Glibc
import IncidentModel

extension Command {
  /// The command that shows a running service, live.
  static let watch = Command(
    name: "watch", summary: "a live view of a running service",
    discussion: [
      "The command only reads LOG and does not disturb the service. If LOG does not exist yet, watch waits until LOG appears. "
        + "On a terminal it shows threads, queues, crumbs, hops, violations and when the main queue "
        + "last answered; press ? for the keys. Otherwise it prints each new crumb as a line and exits with the service: with 0 if the service ended "
        + "normally, else with 1."
    ],
    examples: [
      Example(line: "crashscan watch breadcrumbs.log", summary: "Watch a service while it runs."),
      Example(
        line: "crashscan watch breadcrumbs.log --category violation --follow | logger",
        summary: "Send each violation of this run and the next ones to the system log."),
    ],
    operands: Operand(placeholder: "LOG", completion: .file, count: 1...1),
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
  // Fail early for a file that is not a log; the loop would wait forever for a log.
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
    flag: "plain", summary: "Print lines instead of a screen, even on a terminal")
  fileprivate static let nextRun = Option(
    flag: "follow", summary: "When printing lines: continue with the next run at the same path")
}

extension Option where Value == Int {
  fileprivate static let backlog = Option(
    "last", takes: "N", "a whole number",
    summary: "When printing lines: begin with the last N crumbs (default 10)",
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
