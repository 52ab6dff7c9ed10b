import BreadcrumbLog
import Foundation
import IncidentModel

/// How a process ended.
public enum WaitStatus: Equatable, Sendable, CustomStringConvertible {
  case exited(Int32)
  case signal(Int32)

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
  /// In seconds; a victim that lives longer hangs, and is killed.
  private static let patience = 20.0

  let status: WaitStatus
  let output: String
  let incident: Incident?

  init(_ trial: Trial, executable: String, log: String?, library: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments =
      [trial.way, trial.place, log ?? "-"] + (trial.argument.map { [$0] } ?? [])
    var environment = ProcessInfo.processInfo.environment
    environment["SWIFT_BACKTRACE"] = "enable=no"
    environment["VICTIM_LIBRARY"] = library
    environment.merge(trial.environment) { $1 }
    process.environment = environment
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let deadline = DispatchWorkItem { kill(process.processIdentifier, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience, execute: deadline)
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    deadline.cancel()
    self.output = String(decoding: bytes, as: UTF8.self)
    status =
      process.terminationReason == .exit
      ? .exited(process.terminationStatus) : .signal(process.terminationStatus)
    incident = try log.map { try LogReader(path: $0).read() }
  }
}
