import Dispatch
import Foundation
import Synchronization

/// A program of this package, run to its end, or for half a minute.
///
/// Not Foundation's `Process`, which crashes where many run at once, and reads that signals interrupt.
public struct ChildProcess: Sendable {
  /// What it wrote to standard output.
  public let output: String
  /// What it wrote to standard error.
  public let errors: String
  /// The signal that ended it; 0 where it exited.
  public let signal: Int32
  /// Its exit status; 0 where a signal ended it.
  public let status: Int32

  /// Why a program did not start.
  public struct NotStarted: Error {
    let program: String
    let code: Int32
  }

  /// Runs the program `name` of this package.
  public static func run(
    _ name: String, _ arguments: [String] = [], environment: [String: String] = [:]
  ) throws -> ChildProcess {
    try run(path: "\(directory)/\(name)", arguments, environment)
  }

  /// Runs these tests themselves.
  public static func runTests(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws -> ChildProcess {
    try run(path: own, arguments, environment)
  }

  /// Where the programs of this package's build are.
  public static var directory: String { (own as NSString).deletingLastPathComponent }

  private static let own = try! FileManager.default.destinationOfSymbolicLink(
    atPath: "/proc/self/exe")

  /// Runs the program at `path`, for at most so many seconds.
  public static func run(
    path: String, _ arguments: [String], _ environment: [String: String], patience: Double = 30
  ) throws -> ChildProcess {
    let inherited = ProcessInfo.processInfo.environment
    let variables =
      inherited
      .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
      .merging(environment) { $1 }
      .map { "\($0)=\($1)" }
    let (child, output, errors) = try starting.withLock { _ in
      let output = pipe()
      let errors = pipe()
      defer {
        close(output.write)
        close(errors.write)
      }
      let child = try start(path, [path] + arguments, variables, output.write, errors.write)
      return (child, output.read, errors.read)
    }

    let deadline = DispatchWorkItem { kill(-child, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + patience, execute: deadline)
    defer { deadline.cancel() }
    // Small outputs: neither fills its pipe while the other is read.
    let said = everything(from: output)
    let complained = everything(from: errors)
    var state: Int32 = 0
    while waitpid(child, &state, 0) < 0 && errno == EINTR {}
    let signal = state & 0x7f
    return ChildProcess(
      output: said, errors: complained, signal: signal, status: signal == 0 ? state >> 8 : 0)
  }

  private static func start(
    _ path: String, _ arguments: [String], _ variables: [String], _ output: Int32, _ errors: Int32
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_adddup2(&actions, errors, 2)
    // A group of its own, so that the deadline reaches the children it forked.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Tests run on threads that block most signals; a program begins with none blocked.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK))
    let argv = arguments.map { strdup($0) } + [nil]
    let envp = variables.map { strdup($0) } + [nil]
    defer { for text in argv + envp { free(text) } }
    var child: pid_t = 0
    let code = posix_spawn(&child, path, &actions, &attributes, argv, envp)
    guard code == 0 else { throw NotStarted(program: path, code: code) }
    return child
  }

  // Between a pipe and its mark that no child keeps it, no other child may start.
  private static let starting = Mutex(())

  /// A pipe that no other child inherits.
  private static func pipe() -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    precondition(Foundation.pipe(&ends) == 0)
    for end in ends { precondition(fcntl(end, F_SETFD, FD_CLOEXEC) == 0) }
    return (ends[0], ends[1])
  }

  /// What can be read until the other end is closed; closes this one.
  private static func everything(from file: Int32) -> String {
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(file, &buffer, buffer.count)
      if count > 0 { bytes += buffer[..<count] }
      if count == 0 || (count < 0 && errno != EINTR) { break }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
