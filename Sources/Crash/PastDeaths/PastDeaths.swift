internal import CRecorder
import Glibc

/// Delivers the deaths of earlier runs at the next start, each once, in a format that other tools read.
///
///     let diagnostics = Mainstay.start(release: "1.4.2")
///     PastDeaths(log: diagnostics.recorder.path).deliver(as: .sentryEnvelope) { death in
///       try outbox.add(death.contents)
///     }
///
/// Delivery runs on a separate thread at a low priority, and opens no connection. Frames have modules,
/// offsets and build ids, but no names; `crashscan show` adds the names.
///
/// A file beside the log, `breadcrumbs.log.deaths`, lists the deaths that have been delivered. If it cannot be written,
/// nothing is delivered.
public struct PastDeaths: Sendable {
  /// The outcome of a delivery.
  public struct Outcome: Sendable {
    /// The ids of the deaths that this call delivered.
    public internal(set) var delivered: [String] = []
    /// Logs that could not be read, delivered or listed as delivered, a line for each.
    public internal(set) var problems: [String] = []
  }

  /// The path of the log that this run writes.
  public let log: String

  /// Creates a delivery of the deaths in a log's earlier logs.
  ///
  /// - Parameter log: The path of the log that this run writes, which its recorder has opened. The logs of
  ///   earlier runs are in the same directory: `breadcrumbs.1.log`, and so on.
  public init(log: String) { self.log = log }

  /// Delivers each death that has not been delivered before, the oldest first, and returns at once.
  ///
  /// A death counts as delivered when `body` has returned. If `body` throws, the next start delivers the
  /// death again. If the process ends during `body`, the next start tries again, up to three times in all.
  ///
  /// - Parameters:
  ///   - format: The format of the contents.
  ///   - body: Receives a death; called on a separate thread, one call at a time.
  ///   - completion: Called on that thread after the last death.
  public func deliver(
    as format: DeathReport.Format,
    _ body: @escaping @Sendable (DeathReport) throws -> Void,
    completion: @escaping @Sendable (Outcome) -> Void = { _ in }
  ) {
    if ms_is_off() { return completion(Outcome()) }
    let delivery = Delivery(log: log, format: format.form, body: body)
    let isBegun = BackgroundThread.run { completion(delivery.run()) }
    if !isBegun {
      completion(
        Outcome(problems: ["\(log): cannot create the thread that reads the earlier logs"]))
    }
  }

  /// Writes each death that has not been delivered before to a file of its own, and returns at once.
  ///
  /// The name of the file is the death's id. The file appears only when it is complete.
  ///
  /// - Parameters:
  ///   - format: The format of the files.
  ///   - directory: An existing directory for the files.
  ///   - completion: Called on a separate thread after the last death.
  public func write(
    as format: DeathReport.Format, to directory: String,
    completion: @escaping @Sendable (Outcome) -> Void = { _ in }
  ) {
    deliver(
      as: format,
      { death in
        let name = "\(directory)/\(death.id).\(format.fileExtension)"
        try AtomicFile.write(death.contents, to: name)
      }, completion: completion)
  }
}
