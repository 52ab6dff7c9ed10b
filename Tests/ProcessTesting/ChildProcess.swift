import Foundation

/// A program of this package, run to its end.
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

  /// All that it wrote, its errors last.
  public var everything: String { output + errors }

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

  /// Runs the program at `path`, or of this name in the search path; in a directory, if one is given, with
  /// a file as its input, if there is one.
  public static func run(
    path: String, _ arguments: [String], _ environment: [String: String] = [:],
    in directory: String? = nil, reading file: String? = nil
  ) throws -> ChildProcess {
    let input = try file.map { try opened($0) } ?? -1
    let (output, errors) = (try Ends.pipe(), try Ends.pipe())
    let (process, deadline) = try {
      defer { for file in [input, output.write, errors.write] where file >= 0 { close(file) } }
      return try start(
        [path] + arguments, environment, in: directory, input: input, output: output.write,
        errors: errors.write)
    }()
    defer { deadline.cancel() }
    let texts = everything(from: [output.read, errors.read])
    let state = statusAtEnd(of: process)
    let signal = state & 0x7f
    return ChildProcess(
      output: texts[0], errors: texts[1], signal: signal, status: signal == 0 ? state >> 8 : 0)
  }

  private static func opened(_ path: String) throws -> Int32 {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw NotStarted(program: path, code: errno) }
    return file
  }

  /// What can be read from each file until its other end is closed; closes these. Read as it comes, for a
  /// program waits where one of its pipes is full.
  private static func everything(from files: [Int32]) -> [String] {
    defer { for file in files { close(file) } }
    var texts = files.map { _ in [UInt8]() }
    var waiting = files.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while waiting.contains(where: { $0.fd >= 0 }) {
      guard poll(&waiting, nfds_t(waiting.count), -1) > 0 else { continue }
      for index in files.indices where waiting[index].fd >= 0 && waiting[index].revents != 0 {
        let bytes = readNext(from: files[index], into: &buffer)
        texts[index] += bytes
        if bytes.isEmpty { waiting[index].fd = -1 }
      }
    }
    return texts.map { String(decoding: $0, as: UTF8.self) }
  }
}
