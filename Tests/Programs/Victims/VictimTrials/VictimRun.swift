import LogReading
import Foundation
import IncidentModel
import ProcessTesting

/// How a process ended.
public enum WaitStatus: Equatable, Sendable, CustomStringConvertible {
  case exited(Int32)
  case signal(Int32)

  /// The signal, or the exit status.
  public var description: String {
    switch self {
    case .exited(let code): "exit \(code)"
    case .signal(let number): signalName(number)
    }
  }
}

/// A signal's name as people write it.
func signalName(_ number: Int32) -> String {
  let names: [Int32: String] = [
    SIGSEGV: "SIGSEGV", SIGBUS: "SIGBUS", SIGILL: "SIGILL", SIGTRAP: "SIGTRAP", SIGFPE: "SIGFPE",
    SIGABRT: "SIGABRT", SIGSYS: "SIGSYS", SIGQUIT: "SIGQUIT", SIGKILL: "SIGKILL",
  ]
  return names[number] ?? "signal \(number)"
}

/// Runs one victim and waits for its end.
struct VictimRun {
  let status: WaitStatus
  let output: String
  let incident: Incident?
  /// What the next process says of this one, if that is asked for.
  let ending: String?

  init(_ trial: Trial, executable: String, log: String?, environment: [String: String]) throws {
    let group = trial.isShortOfMemory ? MemoryGroup() : nil
    let arguments = [trial.way, trial.place, log ?? "-"] + (trial.argument.map { [$0] } ?? [])
    let variables = environment.merging(trial.environment) { $1 }
    let child = try Self.run(executable, arguments, variables, in: group)
    ending = try trial.ending.map { _ in
      try Self.run(
        executable, ["previous-run", "main", "-"], ["VICTIM_EARLIER_LOG": log ?? ""], in: group
      ).output.trimmingCharacters(in: .whitespacesAndNewlines)
    }
    output = child.output + child.errors
    status = child.signal == 0 ? .exited(child.status) : .signal(child.signal & 0x7f)
    incident = try log.map { try LogReader(path: $0).read() }
  }

  private static func run(
    _ executable: String, _ arguments: [String], _ environment: [String: String],
    in group: MemoryGroup?
  ) throws -> ChildProcess {
    guard let group else { return try ChildProcess.run(path: executable, arguments, environment) }
    return try ChildProcess.run(
      path: "/bin/sh", group.command + [executable] + arguments, environment)
  }
}
