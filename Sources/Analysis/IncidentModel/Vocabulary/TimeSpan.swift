/// Formats durations, the same way in every report, table and page.
package enum TimeSpan {
  /// The duration with at most three digits, `341 µs`, `12.3 ms`, `1.2 s`; from one minute on in
  /// two units, `5 min 3 s`, `2 h 5 min`, `3 d 4 h`.
  package static func text(nanoseconds: UInt64) -> String {
    switch nanoseconds {
    case ..<1_000: return "\(nanoseconds) ns"
    case ..<999_500: return rounded(nanoseconds, in: 1_000, "µs")
    case ..<999_500_000: return rounded(nanoseconds, in: 1_000_000, "ms")
    case ..<59_950_000_000: return rounded(nanoseconds, in: 1_000_000_000, "s")
    default: break
    }
    let seconds = nanoseconds / 1_000_000_000 + (nanoseconds % 1_000_000_000) / 500_000_000
    if seconds < 3600 { return pair(seconds / 60, "min", seconds % 60, "s") }
    if seconds < 86_400 { return pair(seconds / 3600, "h", seconds / 60 % 60, "min") }
    return pair(seconds / 86_400, "d", seconds / 3600 % 24, "h")
  }

  /// The text for a duration in microseconds, as crumbs contain them.
  package static func text(microseconds: Int64) -> String {
    let (nanoseconds, overflow) = UInt64(clamping: microseconds).multipliedReportingOverflow(
      by: 1_000)
    return text(nanoseconds: overflow ? .max : nanoseconds)
  }

  /// Rounds to one decimal below 100, and omits a zero decimal.
  private static func rounded(_ nanoseconds: UInt64, in unit: UInt64, _ name: String) -> String {
    let tenths = (nanoseconds + unit / 20) / (unit / 10)
    if tenths >= 1000 { return "\((nanoseconds + unit / 2) / unit) \(name)" }
    return tenths % 10 == 0 ? "\(tenths / 10) \(name)" : "\(tenths / 10).\(tenths % 10) \(name)"
  }

  private static func pair(
    _ large: UInt64, _ largeUnit: String, _ small: UInt64, _ smallUnit: String
  ) -> String {
    small == 0 ? "\(large) \(largeUnit)" : "\(large) \(largeUnit) \(small) \(smallUnit)"
  }
}
