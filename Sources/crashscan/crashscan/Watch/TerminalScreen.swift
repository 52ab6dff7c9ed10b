import CrashscanOutput
import Glibc
import TextOutput

/// The terminal as a screen of its own: taken over, drawn on, and given back as it was, however this
/// process ends.
final class TerminalScreen {
  private let palette: Palette
  private let showsAll: Bool
  private var shown: [String] = []
  private var isTaken = false

  // For handlers of signals, which can reach nothing else.
  nonisolated(unsafe) private static var saved = termios()
  nonisolated(unsafe) private static var isSaved = false

  private static let take: StaticString = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J"
  private static let giveBack: StaticString = "\u{1B}[?2026l\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"

  /// - Parameter isPlain: whether to leave out colours.
  init(isPlain: Bool) {
    palette = Terminal.layout(isPlain: isPlain).palette
    showsAll = Self.isUTF8
  }

  deinit { leave() }

  /// Whether there is a terminal that such a screen can be had on.
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
    // Ctrl-C and Ctrl-Z stay signals: they work however busy this is.
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
    tcsetattr(STDIN_FILENO, TCSADRAIN, &raw)
    Self.write(Self.take)
    isTaken = true
    shown = []
  }

  /// Gives the terminal back.
  func leave() {
    guard isTaken else { return }
    isTaken = false
    Self.restore()
  }

  /// Everything is drawn anew next time.
  func forget() { shown = [] }

  /// Draws the lines that are not there already, in one write, so that nothing flickers.
  func draw(_ lines: [ScreenLine]) {
    let painted = lines.map { showsAll ? $0.painted(palette) : Self.plain($0.painted(palette)) }
    var frame = ""
    for (row, line) in painted.enumerated() where row >= shown.count || shown[row] != line {
      frame += "\u{1B}[\(row + 1);1H\(line)\u{1B}[0m\u{1B}[K"
    }
    if shown.isEmpty { frame = "\u{1B}[2J" + frame }
    guard !frame.isEmpty else { return }
    // Terminals that know it show such a frame at once; the others pass it over.
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

  // MARK: However it ends

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
    // Only where `leave` was not come to.
    if now.c_lflag != saved.c_lflag { restore() }
  }

  // MARK: What it can show

  private static var isUTF8: Bool {
    let locale = [variable("LC_ALL"), variable("LC_CTYPE"), variable("LANG")].first { !$0.isEmpty }
    return locale?.lowercased().replacing("-", with: "").contains("utf8") ?? false
  }

  /// The nearest that every terminal can show.
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
