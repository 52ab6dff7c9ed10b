import Foundation
import Glibc

/// The built `crashscan`, run as its users run it.
enum Tool {
  struct Outcome {
    var status: Int32
    var output: String
    var errors: String
  }

  /// It is built beside the tests themselves.
  static let path: String = {
    let tests = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(fileURLWithPath: tests ?? "/").deletingLastPathComponent().path + "/crashscan"
  }()

  static func run(_ arguments: String..., environment: [String: String] = [:]) throws -> Outcome {
    try run(path, arguments, environment)
  }

  /// Runs any program to its end.
  static func run(
    _ program: String, _ arguments: [String], _ environment: [String: String] = [:]
  ) throws -> Outcome {
    let directory = try Scratch.directory()
    let (output, errors) = (directory + "/output", directory + "/errors")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment
      .merging(["TZ": "UTC", "NO_COLOR": "", "XDG_CACHE_HOME": Scratch.root + "/cache"]) { $1 }
      .merging(environment) { $1 }
    process.standardOutput = try emptyFile(output)
    process.standardError = try emptyFile(errors)
    try process.run()
    // One that hangs fails its test, and does not hold up the others.
    let end = DispatchWorkItem { kill(process.processIdentifier, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + 60, execute: end)
    process.waitUntilExit()
    end.cancel()
    return Outcome(
      status: process.terminationStatus,
      output: try String(contentsOfFile: output, encoding: .utf8),
      errors: try String(contentsOfFile: errors, encoding: .utf8))
  }

  /// A program of the system; nil where it is not installed.
  static func find(_ name: String) -> String? {
    let directories = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return directories.map { "\($0)/\(name)" }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }

  private static func emptyFile(_ path: String) throws -> FileHandle {
    try Data().write(to: URL(fileURLWithPath: path))
    return try FileHandle(forWritingTo: URL(fileURLWithPath: path))
  }
}

/// Places for files that go when the tests end.
enum Scratch {
  static let root: String = {
    let path = NSTemporaryDirectory() + "crashscan-tests-\(getpid())"
    atexit { try? FileManager.default.removeItem(atPath: Scratch.root) }
    return path
  }()

  static func directory() throws -> String {
    let path = "\(root)/\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }
}
