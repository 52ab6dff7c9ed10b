import Foundation
import ProcessTesting
import Testing

/// A program of tests that `crashscan repro` has written, built against the modules of this build.
final class ReproClient {
  private let directory: String
  private var files: [String] = []

  init() throws {
    directory =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("mainstay-repro-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try add(
      """
      import Testing

      @main struct Runner {
        static func main() async { await Testing.__swiftPMEntryPoint() as Never }
      }
      """)
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  func add(_ source: String) throws {
    let file = "\(directory)/Source\(files.count).swift"
    try source.write(toFile: file, atomically: true, encoding: .utf8)
    files.append(file)
  }

  /// Builds all with warnings as errors; what the compiler says is empty where all is well.
  func build() throws -> ChildProcess {
    let tools = try Compiler()
    return try ChildProcess.run(
      path: tools.swiftc,
      ["-swift-version", "6", "-warnings-as-errors", "-parse-as-library", "-Onone"]
        + ["-module-name", "ReproClient", "-o", "\(directory)/client"]
        + tools.imports + files + tools.objects + tools.libraries)
  }

  func run() throws -> ChildProcess {
    try ChildProcess.run(path: "\(directory)/client", ["--testing-library", "swift-testing"])
  }
}
