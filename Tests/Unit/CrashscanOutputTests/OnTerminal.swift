import Foundation
import ProcessTesting

/// Runs crashscan with a terminal as its standard output and standard error.
enum OnTerminal {
  private static let tool = "/usr/bin/script"
  static let isAvailable = FileManager.default.isExecutableFile(atPath: tool)

  static func crashscan(_ arguments: String...) throws -> ChildProcess {
    let line = (["\(ChildProcess.directory)/crashscan"] + arguments).map { "'\($0)'" }
    return try ChildProcess.run(
      path: tool, ["-qec", line.joined(separator: " "), "/dev/null"], ["TERM": "dumb"])
  }
}
