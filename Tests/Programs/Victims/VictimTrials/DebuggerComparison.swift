import LogReading
import Foundation
import IncidentModel
import ProcessTesting
import Symbolication

/// Compares a crash's stack with what gdb says of the core dump of that very process.
public struct DebuggerComparison: Sendable {
  /// Whether there is a gdb, and the kernel leaves core dumps where a process is.
  public static var isPossible: Bool {
    let pattern = try? String(contentsOfFile: "/proc/sys/kernel/core_pattern", encoding: .utf8)
    guard let pattern, pattern.hasPrefix("core") else { return false }
    return (try? ChildProcess.run(path: "/usr/bin/env", ["gdb", "--version"], [:]))?.status == 0
  }

  private let executable: String
  private let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Libraries/frames.py").path

  /// - Parameter executable: The victim.
  public init(executable: String) { self.executable = executable }

  /// What differs; empty if nothing does. `count` is the number of frames that were compared.
  public func differences(way: String, place: String) throws -> (count: Int, differences: [String])
  {
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("core-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let log = directory.appendingPathComponent("victim.log").path
    _ = try ChildProcess.run(
      path: "/bin/sh",
      [
        "-c", "cd \"$1\" && ulimit -c unlimited && exec \"$2\" \"$3\" \"$4\" \"$5\"", "sh",
        directory.path, executable, way, place, log,
      ], [:])
    let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    guard let core = files.first(where: { $0.hasPrefix("core") }) else { return (0, ["no core"]) }
    let theirs = try debuggerFrames(core: directory.appendingPathComponent(core).path)
    let incident = try LogReader(path: log).read()
    guard let crash = incident.crash, let stack = crash.thread?.stack else {
      return (0, ["no crash in the log"])
    }
    var symbolicator = Symbolicator(cacheDirectory: nil)
    let ours = stack.frames.map { frame in
      let module = incident.module(at: frame.lookup, when: crash.monotonic)
      let name = module.flatMap { symbolicator.frames(at: frame, in: $0).last?.mangledName }
      return Frame(address: frame.recorded, name: name ?? "")
    }
    return (ours.count, Self.compare(ours, theirs))
  }

  private struct Frame {
    let address: UInt64
    let name: String
  }

  private func debuggerFrames(core: String) throws -> [Frame] {
    let said = try ChildProcess.run(
      path: "/bin/sh",
      [
        "-c", "exec gdb -nx -batch -x \"$1\" \"$2\" \"$3\" </dev/null 2>/dev/null", "sh", script,
        executable, core,
      ], [:])
    return said.output.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ", maxSplits: 2)
      guard words.count == 3, words[0] == "FRAME", let address = UInt64(words[1], radix: 16)
      else { return nil }
      return Frame(address: address, name: String(words[2]))
    }
  }

  private static func compare(_ ours: [Frame], _ theirs: [Frame]) -> [String] {
    var differences: [String] = []
    if ours.count != theirs.count {
      differences.append("\(ours.count) frames, the debugger has \(theirs.count)")
    }
    for (index, (own, other)) in zip(ours, theirs).enumerated() where own.address != other.address {
      differences.append("frame \(index): \(own), the debugger has \(other)")
    }
    // Where a function has several names, either may say another one.
    for (index, (own, other)) in zip(ours, theirs).enumerated()
    where own.name.contains("die") && !isSame(own.name, other.name) {
      differences.append("frame \(index) is \(own.name), the debugger has \(other.name)")
    }
    return differences
  }

  /// Built without what only debuggers need, gdb knows a function by its plain name.
  private static func isSame(_ mangled: String, _ other: String) -> Bool {
    mangled == other
      || mangled.hasPrefix("$s") && mangled.contains("\(other.utf8.count)\(other)")
  }
}
