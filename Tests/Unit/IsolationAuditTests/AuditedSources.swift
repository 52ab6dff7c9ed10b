import Foundation
import ProcessTesting
import Testing

/// Programs in folders of this one, compiled with a library of Swift 5.
enum AuditedSources {
  static let folder = Repository.root.appendingPathComponent("Tests/Unit/IsolationAuditTests").path

  private static let library: Result<String, any Error> = Result {
    let directory = TestFiles.directory()
    try compile(
      [
        "-swift-version", "5", "-emit-module", "-emit-library", "-static", "-module-name", "Five",
        "\(folder)/Audited/Five.swift", "-emit-module-path", "\(directory)/Five.swiftmodule", "-o",
        "\(directory)/libFive.a",
      ])
    return directory
  }

  /// Compiles a program and returns its path.
  static func build(_ source: String, options: [String]) throws -> String {
    let (library, program) = (try library.get(), TestFiles.path("program"))
    try compile(
      ["-swift-version", "6", "-I", library] + options
        + ["\(folder)/\(source)", "-L", library, "-lFive", "-o", program])
    return program
  }

  private static func compile(_ arguments: [String]) throws {
    let made = try ChildProcess.run(
      path: "/usr/bin/env", ["swiftc", "-parse-as-library", "-g"] + arguments)
    try #require(made.status == 0, "\(made.everything)")
  }
}
