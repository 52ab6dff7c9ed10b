import CProcessTesting
import Foundation

/// A program of this package while it runs, for a test that talks with it.
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
    let (inner, outer) = (try Ends.socket(), try Ends.pipe())
    (input, output, errors) = (inner.write, outer.read, ms_child_file())
    defer { for file in [inner.read, outer.write] { close(file) } }
    (id, deadline) = try start(
      command, [:], input: inner.read, output: outer.write, errors: errors)
  }

  /// The next line it prints; nil at the end.
  public func line() -> String? {
    var line: [UInt8] = []
    while let byte = nextByte() {
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
    var bytes: [UInt8] = []
    let wanted = Array(text.utf8)
    defer { said += String(decoding: bytes, as: UTF8.self) }
    while let byte = nextByte() {
      bytes.append(byte)
      if bytes.suffix(wanted.count) == wanted[...] { return true }
    }
    return false
  }

  private func nextByte() -> UInt8? {
    var buffer: [UInt8] = [0]
    return readNext(from: output, into: &buffer).first
  }

  /// Sends it a signal.
  public func signal(_ number: Int32) { kill(id, number) }

  /// Lets it go on where it waits for the test.
  public func letGoOn() {
    var newline = UInt8(ascii: "\n")
    _ = send(input, &newline, 1, Int32(MSG_NOSIGNAL))
  }

  /// Waits until the kernel says that it stopped or ended; the raw status.
  public func waitForChange() -> Int32 { statusAtEnd(of: id, WUNTRACED) }

  /// Waits until it has ended, and leaves to `end()` to ask how.
  public func waitUntilItIsDead() {
    var state = siginfo_t()
    while waitid(P_PID, id_t(id), &state, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
  }

  /// Waits until it ends.
  public func end() -> Ending {
    while line() != nil { continue }
    let status = statusAtEnd(of: id)
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
}
