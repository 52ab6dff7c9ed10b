import Glibc
import TextOutput

/// A program that replaces this process, with preloaded libraries.
struct Preloading {
  let arguments: [String]
  let log: String

  /// Replaces this process by the program. Returns only on failure.
  ///
  /// - Parameters:
  ///   - libraries: The paths of the libraries, in the order in which the loader searches them.
  ///   - request: The settings for the libraries, under names that begin with `MAINSTAY_RUN_`.
  func begin(
    _ libraries: [String], asked request: [String: String], saying text: VisibleText
  ) throws(CommandFailure) -> Never {
    let program = try ProgramFile(named: arguments[0])
    try program.check()
    Self.setEnvironment(libraries, log: log, asked: request)
    tell(text)
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    words.append(nil)
    execv(program.path, words)
    throw CommandFailure(
      message: "\(program.path): \(String(cString: strerror(errno)))")
  }

  /// Sets the environment of the programs that this process starts, so that the loader preloads the
  /// libraries with this request.
  static func setEnvironment(_ libraries: [String], log: String, asked request: [String: String]) {
    let before = getenv("LD_PRELOAD").map { String(cString: $0) } ?? ""
    setenv("MAINSTAY_RUN_PRELOAD", before, 1)
    setenv("LD_PRELOAD", (libraries + (before.isEmpty ? [] : [before])).joined(separator: ":"), 1)
    setenv("MAINSTAY_RUN_LOG", log, 1)
    setenv("MAINSTAY_RUN_PROCESS", "\(getpid())", 1)
    // This process may itself run under `crashscan test`.
    for name in ["CHILDREN", "BUNDLES"] { unsetenv("MAINSTAY_RUN_\(name)") }
    for (name, value) in request { setenv("MAINSTAY_RUN_\(name)", value, 1) }
  }
}

/// Runs a program and records its blocking calls.
struct BlockingRun {
  static let library = "libmainstay-blocking.so"

  private let preloading: Preloading
  private let milliseconds: Int
  private let loops: [String]?

  init(_ invocation: Invocation) throws(CommandFailure) {
    if invocation[.reportCalls] || invocation[.trap] || invocation[.children]
      || invocation[.allowedCalls] != nil
    {
      throw CommandFailure(
        message: "--report, --trap, --allow and --children require --gtk or --calls", code: .usage)
    }
    preloading = Preloading(
      arguments: invocation.operands, log: invocation[.runLog] ?? "blocking.log")
    milliseconds = invocation[.over] ?? 5
    loops = invocation[.loops]
  }

  func begin() throws(CommandFailure) -> Never {
    var asked = ["OVER": "\(milliseconds)000000"]
    if let loops { asked["LOOPS"] = loops.joined(separator: ",") }
    try preloading.begin(
      [try PreloadedFile.path(of: Self.library)],
      asked: asked,
      saying:
        "calls that block for \(milliseconds) ms or longer are recorded in \(preloading.log); direct system calls and "
        + "child processes are not recorded")
  }
}
