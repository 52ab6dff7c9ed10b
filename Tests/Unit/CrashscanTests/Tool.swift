import Foundation
import ProcessTesting

/// The built `crashscan`, run as its users run it.
enum Tool {
  /// It is built beside the tests themselves.
  static let path = ChildProcess.directory + "/crashscan"
  private static let cache = TestFiles.directory()

  static func run(
    _ arguments: String..., environment: [String: String] = [:]
  ) throws -> ChildProcess {
    try run(path, arguments, environment)
  }

  /// Runs any program to its end.
  static func run(
    _ program: String, _ arguments: [String], _ environment: [String: String] = [:]
  ) throws -> ChildProcess {
    let ours = ["TZ": "UTC", "NO_COLOR": "", "XDG_CACHE_HOME": cache]
    return try ChildProcess.run(
      path: program, arguments, ours.merging(environment) { $1 })
  }

  /// A program of the system; nil where it is not installed.
  static func find(_ name: String) -> String? {
    let directories = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return directories.map { "\($0)/\(name)" }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }
}
