import Foundation

/// The symbol graphs of modules, read from given files or extracted by the toolchain.
final class SymbolGraphs {
  private let folders: [URL]
  private let searchPaths: [String]
  private var graphs: [String: SymbolGraph] = [:]

  init(folders: [String], searchPaths: [String]) {
    self.folders = folders.map { URL(fileURLWithPath: $0, isDirectory: true) }
    self.searchPaths = searchPaths
  }

  /// Returns the graph of `module`. Each graph is read only once.
  func graph(of module: String) throws -> SymbolGraph {
    if let graph = graphs[module] { return graph }
    let given = folders.map { $0.appendingPathComponent("\(module).symbols.json") }
      .first { FileManager.default.fileExists(atPath: $0.path) }
    let graph = try given.map(read) ?? extract(module)
    graphs[module] = graph
    return graph
  }

  private func read(_ file: URL) throws -> SymbolGraph {
    do {
      var graph = try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: file))
      graph.sort()
      return graph
    } catch {
      throw Refusal("\(file.path) is not a symbol graph: \(error)")
    }
  }

  private func extract(_ module: String) throws -> SymbolGraph {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("hop-shim-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let target = try Toolchain.output("swiftc", ["-print-target-info"])
    let info = try JSONDecoder().decode(TargetInfo.self, from: Data(target.utf8))
    do {
      _ = try Toolchain.output(
        "swift-symbolgraph-extract",
        ["-module-name", module, "-target", info.target.triple, "-output-dir", folder.path]
          + ["-minimum-access-level", "internal"] + searchPaths.flatMap { ["-I", $0] })
    } catch {
      throw Refusal("module \(module) was found neither in this build nor in the toolchain")
    }
    return try read(folder.appendingPathComponent("\(module).symbols.json"))
  }

  private struct TargetInfo: Decodable {
    var target: Target
    struct Target: Decodable { var triple: String }
  }
}

/// The tools of the Swift toolchain.
enum Toolchain {
  /// Runs `tool` and returns its output.
  static func output(_ tool: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [tool] + arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Refusal("\(tool) failed with status \(process.terminationStatus)")
    }
    return String(decoding: data, as: UTF8.self)
  }
}
