import CrashscanOutput
import Glibc
import TextOutput

/// A full-screen terminal, whose previous state is restored however the process ends.
final class TerminalScreen {
  private let palette: Palette
  private let showsAll: Bool
  private var shown: [String] = []
  private var isTaken = false

  // Static, because signal handlers cannot access an instance.
  nonisolated(unsafe) private static var saved = termios()
  nonisolated(unsafe) private static var isSaved = false

  private static let take: StaticString = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J"
  private static let giveBack: StaticString = "\u{1B}[?2026l\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"

  /// Creates a screen.
  ///
  /// - Parameter isPlain: True to omit colors.
  init(isPlain: Bool) {
    palette = Terminal.layout(isPlain: isPlain).palette
    showsAll = Self.isUTF8
  }

  deinit { leave() }

  /// True if input and output are a terminal that supports a full screen.
  static var isThere: Bool {
    isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 && variable("TERM") != "dumb"
      && !variable("TERM").isEmpty
  }

  var size: (width: Int, height: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  func enter() {
    guard !isTaken else { return }
    if !Self.isSaved {
      guard tcgetattr(STDIN_FILENO, &Self.saved) == 0 else { return }
      Self.isSaved = true
      Self.watchForCrash()
    }
    var raw = Self.saved
    // Ctrl-C and Ctrl-Z remain signals, so that they work even if this process is busy.
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
    tcsetattr(STDIN_FILENO, TCSADRAIN, &raw)
    Self.write(Self.take)
    isTaken = true
    shown = []
  }

  /// Restores the terminal.
  func leave() {
    guard isTaken else { return }
    isTaken = false
    Self.restore()
  }

  /// Forces a complete redraw next time.
  func forget() { shown = [] }

  /// Draws changed lines in one write, to avoid flicker.
  func draw(_ lines: [ScreenLine]) {
    let painted = lines.map { showsAll ? $0.painted(palette) : Self.plain($0.painted(palette)) }
    var frame = ""
    for (row, line) in painted.enumerated() where row >= shown.count || shown[row] != line {
      frame += "\u{1B}[\(row + 1);1H\(line)\u{1B}[0m\u{1B}[K"
    }
    if shown.isEmpty { frame = "\u{1B}[2J" + frame }
    guard !frame.isEmpty else { return }
    // A terminal that supports synchronized output shows the frame at once; others ignore the
    // codes.
    write("\u{1B}[?2026h\(frame)\u{1B}[?2026l")
    shown = painted
  }

  private func write(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let done = bytes.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if done < 0 && errno == EINTR { continue }
      if done <= 0 { return }
      bytes = bytes.dropFirst(done)
    }
  }

  // MARK: Restoring at every end

  /// Restores the terminal, by async-signal-safe functions only.
  private static func restore() {
    write(giveBack)
    if isSaved { tcsetattr(STDIN_FILENO, TCSANOW, &saved) }
  }

  private static func write(_ text: StaticString) {
    _ = Glibc.write(STDOUT_FILENO, text.utf8Start, text.utf8CodeUnitCount)
  }

  private static func watchForCrash() {
    for signal in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGQUIT] {
      WatchSignals.handle(signal) { signal in
        TerminalScreen.restore()
        Glibc.signal(signal, SIG_DFL)
        raise(signal)
      }
    }
    atexit { TerminalScreen.restoreAtExit() }
  }

  private static func restoreAtExit() {
    var now = termios()
    guard tcgetattr(STDIN_FILENO, &now) == 0 else { return }
    // The terminal is still taken over only if `leave` was not called.
    if now.c_lflag != saved.c_lflag { restore() }
  }

  // MARK: Capabilities

  private static var isUTF8: Bool {
    let locale = [variable("LC_ALL"), variable("LC_CTYPE"), variable("LANG")].first { !$0.isEmpty }
    return locale?.lowercased().replacing("-", with: "").contains("utf8") ?? false
  }

  /// Returns similar text in ASCII.
  private static func plain(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    let likes: [Character: Character] = [
      "─": "-", "█": "#", "▇": "#", "▆": "*", "▅": "*", "▄": "+", "▃": "+", "▂": "-", "▁": ".",
      "●": "*", "○": "o", "✗": "x", "≤": "<", "…": "~", "▏": "_", "µ": "u", "“": "\"", "”": "\"",
      "↑": "^", "↓": "v",
    ]
    return String(text.map { $0.isASCII ? $0 : likes[$0] ?? "?" })
  }

  private static func variable(_ name: String) -> String {
    getenv(name).map { String(cString: $0) } ?? ""
  }
}
