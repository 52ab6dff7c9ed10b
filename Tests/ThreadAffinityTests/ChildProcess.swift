import Dispatch
import Foundation
import Testing

/// A program of this package, run to its end, or for a minute.
struct ChildProcess {
  /// What it wrote to standard output.
  let output: String
  /// What it wrote to standard error.
  let errors: String
  /// The signal that ended it; 0 where it exited.
  let signal: Int32
  /// Its exit status; 0 where a signal ended it.
  let status: Int32

  /// Runs the program `name` of this package.
  static func run(
    _ name: String, _ arguments: [String] = [], environment: [String: String] = [:]
  ) throws -> ChildProcess {
    try run(programs.appendingPathComponent(name), arguments, environment: environment)
  }

  /// Runs these tests themselves.
  static func runTests(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws -> ChildProcess {
    try run(own, arguments, environment: environment)
  }

  private static let own = URL(
    fileURLWithPath: try! FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
  private static let programs = own.deletingLastPathComponent()

  private static func run(
    _ program: URL, _ arguments: [String], environment: [String: String]
  ) throws -> ChildProcess {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    var inherited = ProcessInfo.processInfo.environment
    inherited["SWIFT_BACKTRACE"] = "enable=no"
    inherited.merge(environment) { $1 }
    process.environment = inherited
    let output = Pipe()
    let errors = Pipe()
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let deadline = DispatchWorkItem { kill(process.processIdentifier, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + 60, execute: deadline)
    defer { deadline.cancel() }
    // Small outputs: neither fills its pipe while the other is read.
    let said = output.fileHandleForReading.readDataToEndOfFile()
    let complained = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let signalled = process.terminationReason == .uncaughtSignal
    return ChildProcess(
      output: String(decoding: said, as: UTF8.self),
      errors: String(decoding: complained, as: UTF8.self),
      signal: signalled ? process.terminationStatus : 0,
      status: signalled ? 0 : process.terminationStatus)
  }
}
