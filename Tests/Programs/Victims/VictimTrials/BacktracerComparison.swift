import Foundation
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
    /// The names of the other threads.
    public var others: [String] = []
    /// How many threads it could not stop.
    public var notStopped = 0
  }

  /// The reports of the same death without us and with everything that we have, without our threads.
  public func reports(_ trial: Trial) throws -> (without: Backtrace, with: Backtrace) {
    let log = FileManager.default.temporaryDirectory
      .appendingPathComponent("backtraced-\(UUID().uuidString).log")
    defer { try? FileManager.default.removeItem(at: log) }
    return (try report(trial, log: "-"), try report(trial, log: log.path))
  }

  private func report(_ trial: Trial, log: String) throws -> Backtrace {
    let settings = "enable=yes,preset=full,color=no,interactive=no,images=none,registers=none"
    let victim = try ChildProcess.run(
      path: executable, [trial.way, trial.place, log],
      ["SWIFT_BACKTRACE": settings, "VICTIM_RECORDS": "everything"])
    return Self.parse(victim.errors)
  }

  /// A thread begins with `Thread 3 "name" crashed:`; its frames are numbered.
  private static func parse(_ text: String) -> Backtrace {
    var report = Backtrace()
    var notStopped: Set<Substring> = []
    var isInThreads = false
    var isInCrashed = false
    for line in text.split(separator: "\n") {
      if let complaint = line.firstMatch(of: /failed to suspend thread (\d+)/) {
        notStopped.insert(complaint.1)
      } else if let thread = line.firstMatch(of: /^Thread \d+(?: "(.*)")?( crashed)?:$/) {
        isInThreads = true
        isInCrashed = thread.2 != nil
        let name = thread.1.map(String.init) ?? ""
        if isInCrashed { report.crashed.append(name) }
        if !isInCrashed && !comesAndGoes(name) { report.others.append(name) }
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
    report.notStopped = notStopped.count
    return report
  }

  /// Our own threads, and Dispatch's workers, which are there as long as they have work.
  private static func comesAndGoes(_ name: String) -> Bool {
    name == "mainstay" || name.hasSuffix("-qos") || name.hasSuffix(".overcommit")
  }

  /// Addresses, numbers of frames and offsets into a function are others in every run.
  private static func withoutNumbers(_ line: Substring) -> String {
    String(line).replacing(/0x[0-9a-f]{4,}/, with: "0x…").replacing(/^\s*[0-9]+/, with: "")
      .replacing(/\s\+\s[0-9]+\sin\s/, with: " in ").replacing(/\s+/, with: " ")
  }
}
