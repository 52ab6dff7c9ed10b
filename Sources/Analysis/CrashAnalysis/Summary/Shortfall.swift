import IncidentModel

extension RecordingSummary {
  private static let minute: UInt64 = 60_000_000_000

  /// A note that the log holds less than the last minute, with the remedy; nil if it holds the last
  /// minute or the whole run.
  package var shortfall: String? {
    guard let since = gaps?.heldSince, opened > 0, since > opened, lastSeen > opened else {
      return nil
    }
    let ran = lastSeen - opened
    let held = lastSeen - min(lastSeen, since)
    guard held < Self.minute else { return nil }
    let wanted = min(Self.minute, ran)
    // The held time may be 0 on a coarse clock although the log holds crumbs.
    let times = (Double(wanted) / Double(max(held, 1_000))).rounded(.up)
    let whole = wanted == ran ? "the whole run" : "the last minute"
    return
      "The log holds the last \(TimeSpan.text(nanoseconds: held)) of \(TimeSpan.text(nanoseconds: ran)): "
      + "newer crumbs overwrote older ones. To keep \(whole), open the log with about \(Int(max(2, times))) "
      + "times the “capacity”"
  }
}
