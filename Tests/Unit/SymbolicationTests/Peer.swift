import CSymbols
import Foundation
import IncidentModel
import ProcessTesting

/// Asks the toolchain's llvm-symbolizer, the measure of what is right.
struct Peer {
  /// One frame as llvm-symbolizer writes it: "function", "file:line:column".
  struct Frame: Hashable, CustomStringConvertible {
    var function: String
    var file: String
    var line: Int
    var column: Int

    var description: String { "\(function) \(file):\(line):\(column)" }
  }

  /// Where the compiler and its tools are.
  let home: String

  private var path: String { "\(home)/llvm-symbolizer" }

  /// The one beside the compiler; a system's own, older one may come first in the path.
  init?() {
    let search = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let homes = search.map {
      URL(fileURLWithPath: "\($0)/swiftc").resolvingSymlinksInPath().deletingLastPathComponent()
    }
    let isCompilers = { (home: URL) in
      FileManager.default.fileExists(atPath: home.appendingPathComponent("swiftc").path)
    }
    guard let home = homes.first(where: isCompilers)?.path else { return nil }
    self.home = home
    guard FileManager.default.isExecutableFile(atPath: path) else { return nil }
  }

  /// The frames at each address, names as the linker knows them.
  func frames(at addresses: [UInt64], in file: String) throws -> [[Frame]] {
    try Self.parse(output(for: addresses, in: file))
  }

  /// What it writes for the addresses.
  func output(for addresses: [UInt64], in file: String) throws -> String {
    let input = TestFiles.path("addresses")
    try addresses.map { "0x\(String($0, radix: 16))\n" }.joined()
      .write(toFile: input, atomically: true, encoding: .utf8)
    return try ChildProcess.run(
      path: path, ["--obj=\(file)", "--no-demangle", "--no-debuginfod"], reading: input
    ).output
  }

  static func parse(_ text: String) -> [[Frame]] {
    var answers: [[Frame]] = []
    var frames: [Frame] = []
    var function: Substring?
    for line in text.split(
      separator: "\n", omittingEmptySubsequences: false)
    {
      if line.isEmpty {
        if !frames.isEmpty { answers.append(frames) }
        frames = []
        function = nil
      } else if let name = function {
        let parts = line.split(separator: ":", omittingEmptySubsequences: false)
        frames.append(
          Frame(
            function: String(name), file: parts.dropLast(2).joined(separator: ":"),
            line: Int(parts[parts.count - 2]) ?? 0, column: Int(parts[parts.count - 1]) ?? 0))
        function = nil
      } else {
        function = line
      }
    }
    return answers
  }
}

/// A file with code, as a log would record it when loaded at the addresses of the file.
struct CodeFile {
  let module: Module

  init?(_ path: String) {
    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    var facts = ms_module_facts()
    var tables = ms_tables()
    defer { ms_tables_free(&tables) }
    guard descriptor >= 0, ms_module_read_facts(descriptor, &facts),
      ms_tables_read(descriptor, &tables) == MS_TABLES_READ,
      tables.text_low < tables.text_high
    else { return nil }
    let buildID = withUnsafeBytes(of: facts.build_id) {
      Array($0.prefix(Int(facts.build_id_length)))
    }
    module = Module(
      path: path, buildID: buildID, loadBias: 0, text: tables.text_low..<tables.text_high)
  }

  /// Distinct addresses, spread evenly over the code.
  func addresses(_ count: Int) -> [UInt64] {
    let size = module.text.upperBound - module.text.lowerBound
    let step = max(1, size / UInt64(count))
    return stride(from: module.text.lowerBound, to: module.text.upperBound, by: Int(step))
      .prefix(count).map { $0 }
  }
}
