import IncidentModel

/// Finds parts of a log that could not be read.
final class TornLog: Rule {
  static let about = RuleDescription(
    id: "torn-log", severity: .warning,
    title: "A part of the log could not be read",
    firesWhen: """
      The log is damaged, ends early, was truncated while it was written, or had no room for crumbs. \
      The one record that a death interrupted is not damage.
      """,
    cause: "A copy of the file while it was written, a tool that rotates logs, or a failing disk.",
    evidence: "The places in the file, and the number of bytes.",
    fix: "Copy logs after the end of the process; rotate with the recorder's own keepingLast.",
    triggers: "truncate -s 100000 breadcrumbs.log",
    spares: "kill -9 $PID  # in the middle of a record", language: "sh")

  let interest = Interest()

  func finish(in run: EndedRun) {
    let source = run.source
    let torn = source.unread.filter { $0.reason != .unfinished }
    let dropped = source.losses.droppedInAll
    guard !torn.isEmpty || source.ending == .cutShort || dropped > 0 else { return }
    run.report(FindingKey(Self.about.id)) { finding(torn, dropped, run) }
  }

  private func finding(_ torn: [Unread], _ dropped: UInt64, _ run: RunState) -> Finding {
    let (bytes, count) = Self.extent(of: torn)
    let isCut = run.source.ending == .cutShort
    let places = count == 1 ? "one place" : "\(count) places"
    let title =
      isCut
      ? "The log was truncated while it was written; later crumbs are missing"
      : torn.isEmpty
        ? "\(dropped) \(dropped == 1 ? "crumb" : "crumbs") did not fit into the log"
        : "\(bytes) bytes of the \(run.isRecording ? "log" : "input"), in \(places), could not be read"
    var finding = Finding(
      rule: Self.about.id, severity: torn.isEmpty && !isCut ? .note : Self.about.severity,
      title: title, culprit: nil, api: nil,
      fix: Finding.Fix(
        torn.isEmpty && !isCut
          ? "Give the recorder more capacity."
          : run.isRecording
            ? "Copy a log after its process has ended." : "Pass the parts of the input separately."
      ),
      identity: isCut ? "cut" : torn.isEmpty ? "room" : "torn", defect: "log")
    finding.evidence = torn.prefix(5).map { Finding.Evidence(describe($0)) }
    return finding
  }
}

extension TornLog {
  /// Returns the total size of the unread parts, and the number of places. Adjacent parts are one
  /// place: in a truncated file, the damaged last chunk and the missing rest are two parts.
  private static func extent(of parts: [Unread]) -> (bytes: UInt64, places: Int) {
    var (bytes, places, end): (UInt64, Int, UInt64) = (0, 0, 0)
    for part in parts.sorted(by: { $0.offset < $1.offset }) {
      let (sum, isTooFar) = part.offset.addingReportingOverflow(part.length)
      let partEnd = isTooFar ? .max : sum
      if places == 0 || part.offset > end { places += 1 }
      bytes &+= partEnd - min(max(part.offset, end), partEnd)
      end = max(end, partEnd)
    }
    return (bytes, places)
  }
}
