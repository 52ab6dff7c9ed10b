import LogReading
import CrashscanOutput
import Glibc

/// The watch on a terminal: polls ten times a second, draws changes, and handles keys.
struct WatchLoop {
  private var session: WatchSession
  private var controls = WatchControls()
  private let screen: TerminalScreen
  private var keys = KeyReader()
  /// The displayed state while the watch is paused.
  private var frozen: WatchState?

  private static let interval: UInt64 = 100_000_000

  init(session: WatchSession, filter: WatchFilter, isPlain: Bool) {
    self.session = session
    controls = WatchControls(filter: filter)
    screen = TerminalScreen(isPlain: isPlain)
  }

  mutating func run() throws(LogReadingError) -> ExitCode {
    screen.enter()
    WatchSignals.watchTerminal()
    defer { screen.leave() }
    while !controls.wantsToQuit, !WatchSignals.wantsToQuit, !keys.hasEnded {
      let next = monotonicNow() + Self.interval
      _ = try session.look(filter: controls.filter)
      draw()
      wait(until: next)
    }
    return session.ending?.exitCode ?? .nothingFound
  }

  /// Handles keys and signals immediately, until the next poll is due.
  private mutating func wait(until next: UInt64) {
    while !controls.wantsToQuit, !WatchSignals.wantsToQuit, !keys.hasEnded {
      let now = monotonicNow()
      guard now < next else { return }
      let pressed = keys.keys(waitingMilliseconds: Int32((next - now) / 1_000_000 + 1))
      if WatchSignals.takeStop() { stop() }
      let isResized = WatchSignals.takeResize()
      if isResized { screen.forget() }
      for key in pressed { press(key) }
      if isResized || !pressed.isEmpty { draw() }
    }
  }

  private mutating func press(_ key: WatchKey) {
    let layout = layout(of: frozen ?? session.state)
    controls.press(key, page: layout.page)
    if !controls.isPaused {
      frozen = nil
    } else if frozen == nil {
      frozen = session.state
    }
    controls.limitScroll(to: self.layout(of: frozen ?? session.state).mostScroll)
  }

  private func draw() { screen.draw(layout(of: shownState).lines()) }

  /// The displayed state. While paused, only the time and the state of the run change.
  private var shownState: WatchState {
    guard var state = frozen else { return session.state }
    state.now = session.state.now
    state.run = session.state.run
    state.hangingSince = session.state.hangingSince
    state.hanging = session.state.hanging
    return state
  }

  private func layout(of state: WatchState) -> WatchScreen {
    let size = screen.size
    return WatchScreen(
      state, controls, threads: session.threads, width: size.width, height: size.height)
  }

  /// Suspends the process on Ctrl-Z, and takes over the terminal again when it resumes.
  private func stop() {
    screen.leave()
    raise(SIGSTOP)
    screen.enter()
  }
}
