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
  let libraries = ["-lc", "-lgcc_s", "-lunwind", "-ldw", "-lelf", "-lsimdjson", "-lstdc++"]

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
    let programs = ["crashscan", "HopShimGenerator"]
    let modules = try FileManager.default.contentsOfDirectory(atPath: sources)
      .filter { !programs.contains($0) }
    imports =
      ["-plugin-path", plugins, "-I", "\(built)/Modules"]
      + modules.flatMap { module -> [String] in
        let map = "\(built)/\(module).build/module.modulemap"
        return Self.isThere(map)
          ? ["-Xcc", "-I\(sources)/\(module)/include", "-Xcc", "-fmodule-map-file=\(map)"] : []
      }
    objects = modules.flatMap { module in
      // What is left of sources that are gone is no part of it.
      let names = Set(Self.files(in: "\(sources)/\(module)").map(Self.name))
      return Self.files(in: "\(built)/\(module).build")
        .filter { $0.hasSuffix(".o") && names.contains(String(Self.name($0).dropLast(2))) }
    }
  }

  private static func files(in folder: String) -> [String] {
    FileManager.default.enumerator(atPath: folder)?.compactMap { "\(folder)/\($0)" } ?? []
  }

  private static func name(_ path: String) -> String { (path as NSString).lastPathComponent }

  private static func isThere(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: path)
  }
}
