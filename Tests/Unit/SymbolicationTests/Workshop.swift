import Foundation

/// Builds the programs that the tests look into, each once, in a directory of its own.
enum Workshop {
  struct Failure: Error { var command: String, output: String }

  static let peer = Peer()

  static let directory: String = {
    let path = NSTemporaryDirectory() + "symbolication-tests-\(getpid())"
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    // The tests run in one process, and only it knows when the last of them is done.
    atexit { try? FileManager.default.removeItem(atPath: Workshop.directory) }
    return path
  }()

  static let cxxO2 = Result { try cxx("cxx-o2", ["-O2", "-gdwarf-5"]) }
  static let cxxDwarf4 = Result { try cxx("cxx-o1-dwarf4", ["-O1", "-gdwarf-4"]) }
  static let cxxSplit = Result { try cxx("cxx-split", ["-O2", "-gdwarf-5", "-gsplit-dwarf"]) }
  static let swiftDebug = Result { try swift("swift-debug", ["-Onone"]) }
  static let swiftRelease = Result { try swift("swift-release", ["-O"]) }
  static let small = Result { try c("small", ["-O1", "-g"]) }

  /// Runs a program of the toolchain or the system, and wants success.
  @discardableResult
  static func run(_ program: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [tool(program)] + arguments
    process.currentDirectoryURL = URL(fileURLWithPath: directory)
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(command: "\(program) \(arguments)", output: text)
    }
    return text
  }

  private static func tool(_ name: String) -> String {
    let beside = "\(peer?.home ?? "")/\(name)"
    return FileManager.default.isExecutableFile(atPath: beside) ? beside : name
  }

  /// A fresh directory below the workshop's.
  static func makeDirectory() throws -> String {
    let path = "\(directory)/\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
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
