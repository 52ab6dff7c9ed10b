import Foundation
import HostileLogs
import PastDeaths
import ProcessTesting
import Testing

@Suite("A log that somebody has tampered with harms no service", .enabled(if: !isSanitized))
struct HostileLogTests {
  /// Looks beside a log, in this process, and waits for the end of it.
  private func look(
    beside log: String, as format: DeathReport.Format
  ) async -> (outcome: PastDeaths.Outcome, deaths: [DeathReport]) {
    await withCheckedContinuation { continuation in
      let taken = Taken()
      PastDeaths(log: log).deliver(as: format) {
        taken.add($0)
      } completion: {
        continuation.resume(returning: ($0, taken.all))
      }
    }
  }

  private func read(_ path: String) throws -> [UInt8] {
    try Array(Data(contentsOf: URL(fileURLWithPath: path)))
  }

  @Test("Changed in all ways, in all forms, and what comes out steers no terminal", .long)
  func changed() async throws {
    let dead = LogImage(try read(Death.log(of: "task-with-context", at: "task")))
    let other = LogImage(try read(Death.log(of: "killed")))
    var random = SplitMix(state: 24)
    var delivered = 0
    for round in 0..<(isWholeRun ? 300 : 60) {
      let log = TestFiles.path("breadcrumbs.log")
      let bytes = dead.mutated(with: other, &random)
      try Data(bytes).write(to: URL(fileURLWithPath: log.replacing(".log", with: ".1.log")))
      let format: DeathReport.Format = [.json, .openTelemetry, .sentryEnvelope][round % 3]
      let found = await look(beside: log, as: format)
      delivered += found.deaths.count
      #expect(found.outcome.delivered.count + found.outcome.problems.count <= 1)
      for death in found.deaths {
        #expect(death.encoded(as: format) == death.contents)
        #expect(death.encoded(as: .json).starts(with: Array("{\"schema\"".utf8)))
        #expect(death.contents.allSatisfy { $0 >= 0x20 || $0 == 0x0A })
        #expect(death.contents.count < 4 << 20)
        let text = String(decoding: death.contents, as: UTF8.self)
        for line in text.split(separator: "\n") {
          #expect(throws: Never.self) {
            try JSONSerialization.jsonObject(with: Data(line.utf8))
          }
        }
      }
      #expect(await look(beside: log, as: format).deaths.isEmpty)
    }
    // Most changes leave enough of it.
    #expect(delivered > (isWholeRun ? 100 : 20), "\(delivered)")
  }

  @Test("One that is too large is left alone")
  func huge() async throws {
    let dead = try Death.log(of: "null-read")
    let log = TestFiles.path("breadcrumbs.log")
    let kept = log.replacing(".log", with: ".1.log")
    try FileManager.default.copyItem(atPath: dead, toPath: kept)
    #expect(truncate(kept, (1 << 30) + 1) == 0)
    let found = await look(beside: log, as: .json)
    #expect(found.deaths.isEmpty && found.outcome.problems.count == 1)
    #expect(found.outcome.problems.first?.contains("is larger than 1024 MiB") == true)
  }

  @Test("What stands there and is no log is none")
  func noLog() async throws {
    let log = TestFiles.path("breadcrumbs.log")
    try "no log".write(toFile: log, atomically: true, encoding: .utf8)
    #expect(mkfifo(log.replacing(".log", with: ".1.log"), 0o600) == 0)
    let found = await look(beside: log, as: .json)
    #expect(found.deaths.isEmpty && found.outcome.problems.isEmpty)
    #expect(await look(beside: "", as: .json).outcome.problems.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: log + ".deaths"))
  }
}

/// Deaths as they come, on another thread.
private final class Taken: @unchecked Sendable {
  private let lock = NSLock()
  private var deaths: [DeathReport] = []

  func add(_ death: DeathReport) { lock.withLock { deaths.append(death) } }

  var all: [DeathReport] { lock.withLock { deaths } }
}
