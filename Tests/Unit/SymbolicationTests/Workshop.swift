import Foundation
import ProcessTesting

/// Builds the programs that the tests look into, each once, in a directory of its own.
enum Workshop {
  struct Failure: Error { var command: String, output: String }

  static let peer = Peer()

  static let directory = TestFiles.directory()

  static let cxxO2 = Result { try cxx("cxx-o2", ["-O2", "-gdwarf-5"]) }
  static let cxxDwarf4 = Result { try cxx("cxx-o1-dwarf4", ["-O1", "-gdwarf-4"]) }
  static let cxxSplit = Result { try cxx("cxx-split", ["-O2", "-gdwarf-5", "-gsplit-dwarf"]) }
  static let swiftDebug = Result { try swift("swift-debug", ["-Onone"]) }
  static let swiftRelease = Result { try swift("swift-release", ["-O"]) }
  /// For arm64, whose symbols also mark where code and data begin.
  static let marked = Result {
    try build(
      "marked", ".s", markedSource, "clang",
      ["--target=aarch64-linux-gnu", "-nostdlib", "-shared", "-fuse-ld=lld", "-Wl,--build-id"])
  }
  static let small = Result { try c("small", ["-O1", "-g"]) }

  /// Runs a program of the toolchain or the system, and wants success.
  @discardableResult
  static func run(_ program: String, _ arguments: [String]) throws -> String {
    let ended = try ChildProcess.run(path: tool(program), arguments, in: directory)
    guard ended.status == 0, ended.signal == 0 else {
      throw Failure(command: "\(program) \(arguments)", output: ended.everything)
    }
    return ended.everything
  }

  private static func tool(_ name: String) -> String {
    let beside = "\(peer?.home ?? "")/\(name)"
    return FileManager.default.isExecutableFile(atPath: beside) ? beside : name
  }

  static func copy(_ path: String, to other: String) throws -> String {
    try FileManager.default.copyItem(atPath: path, toPath: other)
    return other
  }

  private static func cxx(_ name: String, _ flags: [String]) throws -> String {
    try build(name, ".cpp", cxxSource, "clang++", ["-std=c++17", "-Wl,--build-id"] + flags)
  }

  private static func c(_ name: String, _ flags: [String]) throws -> String {
    try build(name, ".c", cSource, "clang", ["-Wl,--build-id"] + flags)
  }

  private static func swift(_ name: String, _ flags: [String]) throws -> String {
    try build(
      name, ".swift", swiftSource, "swiftc",
      ["-g", "-parse-as-library", "-Xlinker", "--build-id"] + flags)
  }

  private static func build(
    _ name: String, _ suffix: String, _ source: String, _ compiler: String, _ flags: [String]
  ) throws -> String {
    let path = "\(directory)/\(name)"
    try source.write(toFile: path + suffix, atomically: true, encoding: .utf8)
    try run(compiler, flags + [path + suffix, "-o", path])
    return path
  }
}
