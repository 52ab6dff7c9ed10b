import Dispatch
import Foundation

/// A program of this package while it runs, for a test that talks with it; it is given a minute.
///
/// `ChildProcess` is for those that run to their end by themselves.
public final class Program {
  /// How it ended and what it said.
  public struct Ending {
    /// As `waitpid` gives it.
    public let status: Int32
    /// What it wrote to standard output.
    public let output: String
    /// What it wrote to standard error, 64 KiB at most.
    public let errors: String

    /// Nil where a signal ended it.
    public var exitStatus: Int32? { status & 0x7f == 0 ? status >> 8 & 0xff : nil }
    /// Nil where it exited.
    public var signal: Int32? { status & 0x7f != 0 ? status & 0x7f : nil }
    /// Its output, line by line.
    public var lines: [String] { output.split(separator: "\n").map(String.init) }
  }

  /// The process.
  public let id: pid_t
  private let input: Int32
  private let output: Int32
  private let errors: Int32
  private let deadline: DispatchWorkItem
  private var said = ""

  /// Starts the program `name`, which stands beside the tests.
  public convenience init(_ name: String, _ arguments: [String]) throws {
    try self.init(command: [Self.directory + "/" + name] + arguments)
  }

  /// Starts any command.
  public init(command: [String]) throws {
    // One at a time, so that no program inherits another's pipes before they are marked.
    Self.starting.lock()
    defer { Self.starting.unlock() }
    let (inner, outer) = try (Self.makeSocket(), Self.makePipe())
    let errorFile = Self.makeFile()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, inner.read, 0)
    posix_spawn_file_actions_adddup2(&actions, outer.write, 1)
    posix_spawn_file_actions_adddup2(&actions, errorFile, 2)
    let words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
    let variables: [UnsafeMutablePointer<CChar>?] =
      Self.environment.map { strdup($0) } + [nil]
    defer { for word in words + variables { free(word) } }
    var id = pid_t()
    var attributes = Self.ordinarySignals()
    let result = posix_spawnp(&id, command[0], &actions, &attributes, words, variables)
    posix_spawn_file_actions_destroy(&actions)
    posix_spawnattr_destroy(&attributes)
    close(inner.read)
    close(outer.write)
    guard result == 0 else { throw ChildProcess.NotStarted(program: command[0], code: result) }
    self.id = id
    (input, output, errors) = (inner.write, outer.read, errorFile)
    deadline = DispatchWorkItem { kill(id, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + 60, execute: deadline)
  }

  /// The next line it prints; nil at the end.
  public func line() -> String? {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while read(output, &byte, 1) == 1 {
      if byte == UInt8(ascii: "\n") {
        let text = String(decoding: line, as: UTF8.self)
        said += text + "\n"
        return text
      }
      line.append(byte)
    }
    return nil
  }

  /// Reads on until it has printed `expected`; false if it ends before.
  public func wait(for expected: String) -> Bool {
    while let line = line() {
      if line == expected { return true }
    }
    return false
  }

  /// Reads on until it has printed a text, be that in the middle of a line; false if it ends before.
  public func wait(untilItSays text: String) -> Bool {
    var byte: UInt8 = 0
    var bytes: [UInt8] = []
    let wanted = Array(text.utf8)
    defer { said += String(decoding: bytes, as: UTF8.self) }
    while read(output, &byte, 1) == 1 {
      bytes.append(byte)
      if bytes.suffix(wanted.count) == wanted[...] { return true }
    }
    return false
  }

  /// Sends it a signal.
  public func signal(_ number: Int32) { kill(id, number) }

  /// Lets it go on where it waits for the test.
  public func letGoOn() {
    var newline = UInt8(ascii: "\n")
    _ = send(input, &newline, 1, Int32(MSG_NOSIGNAL))
  }

  /// Waits until the kernel says that it stopped or ended; the raw status.
  public func waitForChange() -> Int32 {
    var status: Int32 = 0
    waitpid(id, &status, WUNTRACED)
    return status
  }

  /// Waits until it has ended, and leaves to `end()` to ask how.
  public func waitUntilItIsDead() {
    var state = siginfo_t()
    while waitid(P_PID, id_t(id), &state, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
  }

  /// Waits until it ends.
  public func end() -> Ending {
    while line() != nil { continue }
    var status: Int32 = 0
    waitpid(id, &status, 0)
    deadline.cancel()
    defer { for file in [input, output, errors] { close(file) } }
    lseek(errors, 0, SEEK_SET)
    var bytes = [UInt8](repeating: 0, count: 65536)
    let size = max(read(errors, &bytes, bytes.count), 0)
    return Ending(
      status: status, output: said, errors: String(decoding: bytes[..<size], as: UTF8.self))
  }

  /// Runs a program of this package to its end.
  public static func run(_ name: String, _ arguments: [String]) throws -> Ending {
    try Program(name, arguments).end()
  }

  /// Where this package's programs stand.
  public static let directory = ChildProcess.directory

  private static let starting = NSLock()

  private static let environment: [String] = {
    var variables = ["SWIFT_BACKTRACE=enable=no"]
    var entry = environ
    while let variable = entry.pointee {
      variables.append(String(cString: variable))
      entry += 1
    }
    return variables
  }()

  /// Nothing ignored, nothing blocked: the threads that run tests block all signals.
  private static func ordinarySignals() -> posix_spawnattr_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    // In a group of its own, whose parent is of the same session: one that can be stopped.
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
    return attributes
  }

  /// One end for the program to read, one for the test to write, without SIGPIPE.
  private static func makeSocket() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
      throw ChildProcess.NotStarted(program: "socketpair", code: errno)
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  private static func makePipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw ChildProcess.NotStarted(program: "pipe", code: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  private static func makeFile() -> Int32 {
    var template = Array("/tmp/mainstay-errors-XXXXXX".utf8CString)
    let file = mkstemp(&template)
    _ = fcntl(file, F_SETFD, FD_CLOEXEC)
    unlink(template)
    return file
  }
}
