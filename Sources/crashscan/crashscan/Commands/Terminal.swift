import Glibc
import Synchronization
import TextOutput

/// Properties of the terminal at standard output.
enum Terminal {
  /// True if standard output is a terminal.
  static var isOutput: Bool { isatty(STDOUT_FILENO) == 1 }

  /// True if standard error is a terminal.
  static var isError: Bool { isatty(STDERR_FILENO) == 1 }

  /// Returns the layout for standard output: colored and wrapped if standard output is a terminal.
  static func layout(isPlain: Bool) -> TextLayout {
    TextLayout(
      palette: isPlain || !showsColours ? .plain : .coloured, width: width,
      baseDirectory: workingDirectory)
  }

  /// Returns the layout for standard error: colored and wrapped if standard error is a terminal.
  static func errorLayout(isPlain: Bool) -> TextLayout {
    TextLayout(
      palette: isPlain || !isError || !wantsColours ? .plain : .coloured,
      width: isError ? width(of: STDERR_FILENO) : nil, baseDirectory: workingDirectory)
  }

  private static var showsColours: Bool { isOutput && wantsColours }

  private static var wantsColours: Bool {
    (variable("NO_COLOR") ?? "").isEmpty && variable("TERM") != "dumb"
  }

  private static var width: Int? { isOutput ? width(of: STDOUT_FILENO) : nil }

  private static func width(of file: Int32) -> Int? {
    var size = winsize()
    guard ioctl(file, UInt(TIOCGWINSZ), &size) == 0, size.ws_col >= 40 else {
      return nil
    }
    return Int(size.ws_col)
  }

  private static var workingDirectory: String? {
    guard let path = getcwd(nil, 0) else { return nil }
    defer { free(path) }
    return String(cString: path)
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}

/// Observes Ctrl-C, so that the current output can be completed; a second Ctrl-C kills the process.
enum Interruption {
  private static let came = Atomic<Bool>(false)

  static var hasCome: Bool { came.load(ordering: .relaxed) }

  static func watch() {
    came.store(false, ordering: .relaxed)
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in
      Interruption.came.store(true, ordering: .relaxed)
    }
    action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
    sigaction(SIGINT, &action, nil)
    // The parent process may have blocked the signal, and children inherit the mask.
    var interrupt = sigset_t()
    sigemptyset(&interrupt)
    sigaddset(&interrupt, SIGINT)
    sigprocmask(SIG_UNBLOCK, &interrupt, nil)
  }
}
