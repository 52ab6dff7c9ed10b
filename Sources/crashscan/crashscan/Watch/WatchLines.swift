import LogReading
import CrashscanOutput
import Glibc
import IncidentModel
import TextOutput

/// Watches without a terminal: writes one line for each new crumb, immediately.
struct WatchLines {
  private var session: WatchSession
  private let filter: WatchFilter
  private let backlog: Int
  private let palette: Palette
  private let follows: Bool
  private var writer = CrumbLine()

  private static let interval: UInt32 = 100_000

  init(session: WatchSession, filter: WatchFilter, backlog: Int, isPlain: Bool, follows: Bool) {
    self.session = session
    self.filter = filter
    self.backlog = backlog
    self.follows = follows
    palette = Terminal.layout(isPlain: isPlain).palette
  }

  func run() throws(LogReadingError) -> ExitCode {
    var copy = self
    return try copy.watch()
  }

  private mutating func watch() throws(LogReadingError) -> ExitCode {
    var output = StandardOutput()
    if !fileExists(session.state.path) { tell("waiting for \(session.state.path)") }
    // For an existing log, only the newest crumbs are printed; for a new log, all.
    var skips = fileExists(session.state.path)
    while !WatchSignals.wantsToQuit {
      let look = try session.look(filter: filter, decodesAll: !skips)
      if look.hasBegun { tellBegin() }
      let matching = look.crumbs.filter {
        filter.matches($0, thread: session.threads[$0.thread])
      }
      let shown = skips ? matching.suffix(backlog) : matching[...]
      if look.hasBegun || !look.crumbs.isEmpty { skips = false }
      for crumb in shown {
        output.write(writer.line(crumb, session.threads[crumb.thread]).painted(palette) + "\n")
      }
      output.flush()
      if let (ending, words) = look.end {
        tell("\(session.state.path): \(words)")
        if !follows { return ending.exitCode }
      }
      usleep(Self.interval)
    }
    return .nothingFound
  }

  private func tellBegin() {
    let process = session.state.process
    tell("\(session.state.path): process \(process?.id ?? 0), \(process?.executable ?? "unknown")")
  }
}
