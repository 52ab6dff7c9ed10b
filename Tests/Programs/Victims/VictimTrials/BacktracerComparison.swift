import LogReading
import Foundation
import IncidentModel
import ProcessTesting

/// Compares what Swift's own backtracer says of a death with and without a recorder and a handler.
public struct BacktracerComparison: Sendable {
  private let executable: String

  /// - Parameter executable: The victim.
  public init(executable: String) { self.executable = executable }

  /// What the backtracer said.
  public struct Backtrace: Equatable, Sendable {
    /// What stands before the threads: complaints, and what the program died of.
    public var headline: [String] = []
    /// The crashed thread, frame by frame.
    public var crashed: [String] = []
    /// The names of the other threads, without ours and those that come and go.
    public var others: [String] = []
    /// How many threads of ours it stopped and showed.
    public var ours = 0
    /// Whether a signal ended the process: what is sent, the backtracer tells of and lets live.
    public var isFatal = false
    /// Whether our log has a crash by that signal.
    public var isRecorded = false
  }

  /// The reports of the same death without us and with everything that we have, without our threads.
  public func reports(_ trial: Trial) throws -> (without: Backtrace, with: Backtrace) {
    let log = FileManager.default.temporaryDirectory
      .appendingPathComponent("backtraced-\(UUID().uuidString).log")
    defer { try? FileManager.default.removeItem(at: log) }
    let without = try report(trial, log: "-")
    var with = try report(trial, log: log.path)
    with.isRecorded = try LogReader(path: log.path).read().crash?.signal == Int(trial.signal)
    return (without, with)
  }

  private func report(_ trial: Trial, log: String) throws -> Backtrace {
    let settings = "enable=yes,preset=full,color=no,interactive=no,images=none,registers=none"
    let victim = try ChildProcess.run(
      path: executable, [trial.way, trial.place, log],
      ["SWIFT_BACKTRACE": settings, "VICTIM_RECORDS": "everything"])
    var report = Self.parse(victim.errors)
    report.isFatal = victim.signal != 0
    return report
  }

  /// A thread begins with `Thread 3 "name" crashed:`; its frames are numbered.
  private static func parse(_ text: String) -> Backtrace {
    var report = Backtrace()
    var isInThreads = false
    var isInCrashed = false
    // Without us, too, it complains of one in four deaths in a task: of workers that had just ended. What was
    // said before that may have no end of line.
    let said = text.replacing(/swift-runtime: failed to suspend thread .*\n/, with: "")
    for line in said.split(separator: "\n") {
      if let thread = line.firstMatch(of: /^Thread \d+(?: "(.*)")?( crashed)?:$/) {
        isInThreads = true
        isInCrashed = thread.2 != nil
        let name = thread.1.map(String.init) ?? ""
        if isInCrashed { report.crashed.append(name) }
        if name == "mainstay" {
          report.ours += 1
        } else if !isInCrashed && !isWorker(name) {
          report.others.append(name)
        }
      } else if line.hasPrefix("Backtrace took") {
        break
      } else if isInCrashed {
        report.crashed.append(withoutNumbers(line))
      } else if !isInThreads && !line.hasPrefix("mainstay: ") {
        report.headline.append(withoutNumbers(line))
      }
    }
    // Where a stack is used up, its depth is another in every run.
    report.crashed = report.crashed.suffix(20)
    report.others.sort()
    return report
  }

  /// Dispatch's workers are there as long as they have work.
  private static func isWorker(_ name: String) -> Bool {
    name.hasSuffix("-qos") || name.hasSuffix(".overcommit")
  }

  /// Addresses, numbers of frames and offsets into a function are others in every run.
  private static func withoutNumbers(_ line: Substring) -> String {
    String(line).replacing(/0x[0-9a-f]{4,}/, with: "0x…").replacing(/^\s*[0-9]+/, with: "")
      .replacing(/\s\+\s[0-9]+\sin\s/, with: " in ").replacing(/\s+/, with: " ")
  }
}
