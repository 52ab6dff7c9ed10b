import Glibc

/// The deaths of earlier runs, handed out at the next start: each once, in a form that other tools read.
///
///     let diagnostics = MainstayDiagnostics.start(release: "1.4.2")
///     PastDeaths(log: diagnostics.recorder.path).handOut(as: .sentryEnvelope) { death in
///       try outbox.add(death.contents)
///     }
///
/// All of it happens on a thread of its own, at a low priority. Nothing here opens a connection. Frames have
/// no names, but their modules, offsets and build ids; `crashscan show` gives the same with names.
///
/// What has been handed out is noted in a file beside the log, `breadcrumbs.log.deaths`. Where that cannot be
/// written, nothing is handed out.
public struct PastDeaths: Sendable {
  /// The outcome of a run.
  public struct Outcome: Sendable {
    /// The ids of the deaths that were handed out now.
    public internal(set) var handedOut: [String] = []
    /// Logs that could not be read, handed out or recorded, in a line each.
    public internal(set) var problems: [String] = []
  }

  /// The path of the log that this run writes.
  public let log: String

  /// - Parameter log: The path of the log that this run writes, which its recorder has opened. The logs of earlier
  ///   runs stand beside it: `breadcrumbs.1.log`, and so on.
  public init(log: String) { self.log = log }

  /// Hands each death out that has not been handed out before, the oldest first, and returns at once.
  ///
  /// A death counts as handed out when `body` has returned. If it throws, the death comes again at the next start.
  /// If the process ends meanwhile it comes again, too, but no more than three times in all.
  ///
  /// - Parameters:
  ///   - format: The form of the contents.
  ///   - body: Takes a death; called on a thread of its own, one call at a time.
  ///   - finished: Called there when there are no more.
  public func handOut(
    as format: DeathReport.Format,
    _ body: @escaping @Sendable (DeathReport) throws -> Void,
    finished: @escaping @Sendable (Outcome) -> Void = { _ in }
  ) {
    let round = HandOut(log: log, format: format.form, body: body)
    let isBegun = OwnThread.run { finished(round.run()) }
    if !isBegun {
      finished(Outcome(problems: ["\(log): no thread can be had to look for deaths"]))
    }
  }

  /// Writes each death that has not been handed out before to a file of its own, and returns at once.
  ///
  /// The file is named by the death's id, and appears when it is whole.
  ///
  /// - Parameters:
  ///   - format: The form of the files.
  ///   - directory: Where they go; it must be there.
  ///   - finished: Called on a thread of its own when there are no more.
  public func write(
    as format: DeathReport.Format, to directory: String,
    finished: @escaping @Sendable (Outcome) -> Void = { _ in }
  ) {
    handOut(
      as: format,
      { death in
        let name = "\(directory)/\(death.id).\(format.fileExtension)"
        try WholeFile.write(death.contents, to: name)
      }, finished: finished)
  }
}
