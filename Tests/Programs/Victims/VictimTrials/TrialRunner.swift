import LogReading
import Foundation
import IncidentModel
import ProcessTesting
import Symbolication

/// What came of a trial.
public struct TrialResult: Sendable {
  /// What was tried.
  public let trial: Trial
  /// How the victim ended.
  public let status: WaitStatus
  /// Empty if all is as it must be.
  public let failures: [String]
  /// What the log says, for whoever looks at a failure.
  public let summary: String
  /// What was found as it must be, in a few words.
  public let seen: String
}

/// Runs trials with a build of the victim.
public struct TrialRunner {
  private let executable: String
  private let directory: URL
  private let faultLibrary: String
  private let countingLibrary: String
  private let isDebug: Bool
  private var symbolicator: Symbolicator

  /// - Parameter executable: The victim; its library is made beside the logs.
  public init(executable: String, isDebug: Bool) throws {
    self.executable = executable
    self.isDebug = isDebug
    directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("victims-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    symbolicator = Symbolicator(cacheDirectory: directory.path)
    faultLibrary = try Self.makeLibrary("fault", in: directory)
    countingLibrary = try Self.makeLibrary("counter", in: directory)
  }

  /// Removes what the trials left.
  public func finish() { try? FileManager.default.removeItem(at: directory) }

  /// Why a trial cannot be run here; nil if it can.
  public static func obstacle(to trial: Trial) -> String? {
    if trial.isShortOfMemory, MemoryGroup() == nil {
      return "no control group with a limit of memory can be made here"
    }
    if trial.function == "descend", trial.place != "main", !threadsHaveGuards {
      return "no guard lies below a thread's stack here"
    }
    return isUnderQemu ? beyondQemu[trial.way] : nil
  }

  private static let beyondQemu = {
    // By which queues are learned, and the silent thread of a victim is silent.
    let noChild = "qemu starts no child that ends without a signal"
    let ways = [
      "two-at-once", "walk-broken", "walk-broken-elsewhere", "walk-broken-meanwhile",
      "cancelled-meanwhile", "silent-thread",
    ]
    return Dictionary(uniqueKeysWithValues: ways.map { ($0, noChild) }).merging([
      "system-call": "qemu sets no filter of system calls",
      "out-of-memory": "qemu holds no limit of memory",
    ]) { $1 }
  }()

  /// Runs a trial with a handler and without one.
  public mutating func run(_ trial: Trial) throws -> TrialResult {
    let log = directory.appendingPathComponent("\(trial.way)-\(trial.place).log").path
    let environment = ["VICTIM_LIBRARY": faultLibrary]
    let without = try VictimRun(
      trial, executable: executable, log: nil, environment: environment)
    let with = try VictimRun(trial, executable: executable, log: log, environment: environment)
    var failures = try countCalls(trial, environment)
    if with.status != without.status {
      failures.append("ended with \(with.status) instead of \(without.status)")
    }
    let crash = with.incident?.crash
    var view: CrashView?
    if let crash, let incident = with.incident {
      view = CrashView(crash, of: incident, with: &symbolicator)
    }
    if let incident = with.incident, !incident.unread.isEmpty, !trial.mayBreakOffRecords {
      failures.append("unread: \(incident.unread)")
    }
    failures += judge(trial, view)
    if let expected = trial.ending, with.ending != expected {
      failures.append("the next run says \(with.ending ?? "nothing")")
    }
    return TrialResult(
      trial: trial, status: with.status, failures: failures,
      summary: (view?.summary ?? "no crash in the log") + "\n" + with.output,
      seen: Self.seen(trial, view))
  }

  private static func seen(_ trial: Trial, _ view: CrashView?) -> String {
    guard let view else {
      return trial.isShortOfMemory
        ? "nothing; the next run says why" : "nothing, as expected"
    }
    let threads = view.crash.otherThreads.count + 1
    var parts = ["`\(trial.function)`", "\(view.functions.count) frames"]
    if threads > 1 { parts.append("\(threads) threads") }
    if trial.text != nil, !view.texts.isEmpty { parts.append("text") }
    if !trial.asyncCallers.isEmpty { parts.append("async callers") }
    if view.crash.task?.name != nil { parts.append("the task's name") }
    if view.crash.isOutOfTime { parts.append("\(view.crash.walkedCount) walked in time") }
    return parts.joined(separator: ", ")
  }

  private func judge(_ trial: Trial, _ view: CrashView?) -> [String] {
    switch trial.expectation {
    case .nothing: return view == nil ? [] : ["a crash is in the log"]
    case .crash:
      guard let view else { return ["no crash in the log"] }
      return judgeCrash(trial, view)
    }
  }

  private func judgeCrash(_ trial: Trial, _ view: CrashView) -> [String] {
    var failures: [String] = []
    if view.crash.signal != Int(trial.signal) {
      failures.append("recorded as \(signalName(Int32(view.crash.signal)))")
    }
    if view.crash.stage != .recorded { failures.append("stage \(view.crash.stage)") }
    if !isFound(trial.function, trial, view) { failures.append("\(trial.function) is not there") }
    if let text = trial.text, isDebug || !trial.isTextForDebugOnly,
      !view.texts.contains(where: { $0.contains(text) })
    {
      failures.append("no text says \(text)")
    }
    for caller in trial.asyncCallers
    where !view.asyncCallers.contains(where: { $0.contains(caller) }) {
      failures.append("\(caller) is not among the async callers")
    }
    if view.crash.otherThreads.isEmpty && trial.place != "main" {
      failures.append("no other threads")
    }
    if let problem = trial.check?(view) { failures.append(problem) }
    return failures
  }

  private func isFound(_ function: String, _ trial: Trial, _ view: CrashView) -> Bool {
    let candidates: [[String]]
    if trial.isAtFault {
      candidates = Array(view.functions.prefix(1))
    } else {
      candidates = zip(view.isOwn, view.functions).filter(\.0).prefix(2).map(\.1)
    }
    // A thunk of the compiler's own is named like what it calls.
    return candidates.contains { names in
      names.contains { $0.contains(function) && !$0.hasPrefix("@nonobjc ") }
    }
  }

  /// Once more, counting what the handlers call between the signal and the hand-over.
  private func countCalls(
    _ trial: Trial, _ environment: [String: String]
  ) throws -> [String] {
    guard trial.isCounted else { return [] }
    let counts = directory.appendingPathComponent("counts")
    try? FileManager.default.removeItem(at: counts)
    _ = try VictimRun(
      trial, executable: executable,
      log: directory.appendingPathComponent("counted.log").path,
      environment: environment.merging(
        ["LD_PRELOAD": countingLibrary, "VICTIM_COUNTS": counts.path]) { $1 })
    let report = try String(contentsOf: counts, encoding: .utf8).prefix { $0 != "\0" }
    if report.hasPrefix("handled "), report.hasSuffix(" allocations 0 locks 0 futexes 0") {
      return []
    }
    return ["what handlers called: \(report.isEmpty ? "no report" : report)"]
  }

  /// Makes a library that victims load.
  private static func makeLibrary(_ name: String, in directory: URL) throws -> String {
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Libraries")
    let library = directory.appendingPathComponent("victim-\(name).so").path
    let made = try ChildProcess.run(
      path: "/usr/bin/env",
      [
        "clang", "-g", "-shared", "-fPIC", "-Wl,--build-id", "-o", library,
        sources.appendingPathComponent("\(name).c").path,
      ], [:])
    guard made.status == 0, made.signal == 0 else {
      throw LibraryNotMade(name: name, reason: made.errors)
    }
    return library
  }
}

/// Why a library that victims need could not be made.
struct LibraryNotMade: Error {
  let name: String
  let reason: String
}
