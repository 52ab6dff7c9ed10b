import Foundation

/// A program in C that calls what no library exports, or has a function of its own in the C library's place.
public enum SmallProgram {
  struct NotBuilt: Error { let errors: String }

  /// Builds `text` with these files or folders below `Sources`, and runs it.
  public static func run(
    _ text: String, with sources: [String], _ arguments: [String] = [], flags: [String] = []
  ) throws -> ChildProcess {
    let program = try build(text, with: sources, flags: flags)
    return try ChildProcess.run(path: program, arguments)
  }

  /// Where the program is.
  public static func build(
    _ text: String, with sources: [String], flags: [String] = []
  ) throws -> String {
    let program = TestFiles.path("small-program")
    try text.write(toFile: program + ".c", atomically: true, encoding: .utf8)
    let root = Repository.root.appendingPathComponent("Sources").path
    let entries = FileManager.default.enumerator(
      at: URL(fileURLWithPath: root), includingPropertiesForKeys: nil)
    let headers = (entries ?? .init()).compactMap { $0 as? URL }.filter { $0.pathExtension == "h" }
    let includes = Set(headers.map { $0.deletingLastPathComponent().path }).sorted().map {
      "-I\($0)"
    }
    let made = try ChildProcess.run(
      path: "/usr/bin/env",
      ["clang", "-O1", "-D_GNU_SOURCE="] + includes + sources.flatMap { files(at: "\(root)/\($0)") }
        + [program + ".c", "-o", program] + flags)
    guard made.status == 0 else { throw NotBuilt(errors: made.everything) }
    return program
  }

  private static func files(at path: String) -> [String] {
    guard !path.hasSuffix(".c") else { return [path] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.filter { $0.hasSuffix(".c") }.map { "\(path)/\($0)" }
  }
}
