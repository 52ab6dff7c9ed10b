import Foundation

/// The compiler these tests were built by, with their modules and objects at hand.
public struct Compiler {
  /// Where it is.
  public let swiftc: String
  /// What lets it find the modules.
  public let imports: [String]
  /// What their code is linked from.
  public let objects: [String]
  /// What that needs besides.
  public let libraries = [
    "-lc", "-lgcc_s", "-ldw", "-lelf", "-lsimdjson", "-lcapstone", "-lstdc++",
  ]

  /// There is none in the search path.
  public struct NotFound: Error {}

  /// Looks for the compiler in the search path.
  public init() throws {
    let paths = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let found = paths.map { "\($0)/swiftc" }.first(where: FileManager.default.isExecutableFile)
    guard let found else { throw NotFound() }
    swiftc = found
    let plugins = URL(fileURLWithPath: swiftc).resolvingSymlinksInPath()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("lib/swift/host/plugins/testing").path
    let built = ChildProcess.directory
    let sources = Repository.root.appendingPathComponent("Sources").path
    // Programs.
    let apart = ["crashscan", "HopShimGenerator"]
    let targets = try FileManager.default.contentsOfDirectory(atPath: sources).flatMap { room in
      try FileManager.default.contentsOfDirectory(atPath: "\(sources)/\(room)")
        .filter { !apart.contains($0) }.map { (name: $0, folder: "\(sources)/\(room)/\($0)") }
    }
    imports =
      ["-plugin-path", plugins, "-I", "\(built)/Modules"]
      + targets.flatMap { target -> [String] in
        let map = "\(built)/\(target.name).build/module.modulemap"
        return Self.isThere(map)
          ? ["-Xcc", "-I\(target.folder)/include", "-Xcc", "-fmodule-map-file=\(map)"] : []
      }
    objects = targets.flatMap { target in
      // A build folder keeps the objects of sources that were removed.
      let names = Set(Self.files(in: target.folder).map(Self.name))
      return Self.files(in: "\(built)/\(target.name).build")
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
