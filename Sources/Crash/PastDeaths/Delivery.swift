internal import LogReading
internal import DeathRecords
import Glibc
internal import IncidentModel

/// A search for deaths in a log and its earlier logs, and their delivery.
struct Delivery: Sendable {
  let log: String
  let format: DeathFormat
  let body: @Sendable (DeathReport) throws -> Void

  /// The limits for reading inside a service: the number of earlier logs, and the size of a log.
  private static let (mostLogs, largest) = (16, off_t(1) << 30)
  private static let mostTries = 3

  func run() -> PastDeaths.Outcome {
    var outcome = PastDeaths.Outcome()
    let logs = LogFamily(of: log).paths.prefix(Self.mostLogs)
    guard !logs.isEmpty else { return outcome }
    do {
      // Another process that holds the ledger delivers the deaths of the same logs.
      guard var ledger = try Ledger(path: log + ".deaths") else { return outcome }
      var seen: Set<String> = []
      for path in logs.reversed() {
        do {
          guard let reader = try reader(of: path) else { continue }
          seen.insert(reader.recording)
          if let id = try deliver(reader, path, &ledger) { outcome.delivered.append(id) }
        } catch let problem as Ledger.Problem {
          throw problem
        } catch {
          outcome.problems.append("\(error)")
        }
      }
      try ledger.forget(allBut: seen)
    } catch {
      outcome.problems.append("\(error)")
    }
    return outcome
  }

  /// Opens a log; returns nil for the log of a running process, such as this one.
  private func reader(of path: String) throws -> LogReader? {
    var status = stat()
    if stat(path, &status) == 0, status.st_size > Self.largest {
      throw Refusal(
        description:
          "\(path): is larger than \(Self.largest >> 20) MiB, the limit within a service; read the log with crashscan"
      )
    }
    let reader = try LogReader(path: path)
    return try reader.isOfRunningProcess ? nil : reader
  }

  /// Delivers the death in a log, and returns its id; nil if the log has none. The ledger counts the attempt before
  /// the log is read: a log whose reading ends the process does so at most three times.
  private func deliver(
    _ reader: LogReader, _ path: String, _ ledger: inout Ledger
  ) throws -> String? {
    let recording = reader.recording
    let tries = ledger.tries(recording)
    guard tries < Self.mostTries else { return nil }
    try ledger.note(recording, .tried(tries + 1))
    let found = try DeathRecord(
      reader.events(), input: path, crumbs: DeathRecord.Limit.crumbs, host: hostName
    ) { nil }
    if let found {
      do { try body(DeathReport(found, as: format)) } catch {
        try ledger.note(recording, .tried(tries))
        throw Refusal(
          description:
            "\(path): the handler threw an error, so the next start delivers this death again: \(error)"
        )
      }
    }
    try ledger.note(recording, .done)
    return found?.id
  }

  private var hostName: String? {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return nil }
    let text = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return text.isEmpty ? nil : text
  }

  private struct Refusal: Error, CustomStringConvertible {
    var description: String
  }
}
