import Foundation
import ProcessTesting
import Testing

/// A program of tests that `crashscan repro` has written, built against the modules of this build.
struct ReproClient: ~Copyable {
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

  mutating func add(_ source: String) throws {
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
        + tools.imports + files + tools.objects + tools.libraries, [:], patience: 300)
  }

  func run() throws -> ChildProcess {
    // One stream for both, for they are read one after the other.
    try ChildProcess.run(
      path: "/bin/sh", ["-c", "exec '\(directory)/client' --testing-library swift-testing 2>&1"],
      [:],
      patience: 300)
  }
}

/// The compiler these tests were built by, with their modules and objects at hand.
private struct Compiler {
  let swiftc: String
  let imports: [String]
  let objects: [String]
  let libraries = ["-lc", "-lgcc_s", "-lunwind", "-ldw", "-lelf", "-lstdc++"]

  private static let modules = [
    "AffinityTesting", "BreadcrumbLog", "Breadcrumbs", "CBreadcrumbLog", "CCrashHandler", "CDwarf",
    "CProcessWatch", "CQueueState", "CRuntime", "CStackWalk", "CTestProcess", "CrashAnalysis",
    "CrashCapture", "IncidentModel", "Reporting", "Symbolication", "ThreadAffinity",
  ]

  init() throws {
    let paths = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    swiftc = try #require(
      paths.map { "\($0)/swiftc" }.first(where: FileManager.default.isExecutableFile))
    let plugins = URL(fileURLWithPath: swiftc).resolvingSymlinksInPath()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("lib/swift/host/plugins/testing").path
    let built = ChildProcess.directory
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Sources").path
    let inC = Self.modules.filter { $0.hasPrefix("C") && !$0.hasPrefix("Crash") }
    imports =
      ["-plugin-path", plugins, "-I", "\(built)/Modules"]
      + inC.flatMap { module in
        let map = "\(built)/\(module).build/module.modulemap"
        return ["-Xcc", "-I\(sources)/\(module)/include"]
          + (FileManager.default.fileExists(atPath: map)
            ? ["-Xcc", "-fmodule-map-file=\(map)"] : [])
      }
    objects = Self.modules.flatMap { module in
      let folder = "\(built)/\(module).build"
      let paths = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String }
      return (paths ?? []).filter { $0.hasSuffix(".o") }.map { "\(folder)/\($0)" }
    }
  }
}
