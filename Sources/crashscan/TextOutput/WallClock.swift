import Glibc

/// A wall-clock time in nanoseconds since 1970, with formats for people and machines.
package struct WallTime: Sendable, Hashable, Comparable {
  package var nanoseconds: UInt64

  package init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

  /// The current time.
  package static var now: WallTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return WallTime(nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
  }

  package static func < (left: WallTime, right: WallTime) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  package var seconds: time_t { time_t(nanoseconds / 1_000_000_000) }
  package var fraction: UInt64 { nanoseconds % 1_000_000_000 }

  /// The time in UTC, in ISO 8601: `2026-11-20T19:35:52.725055012Z`.
  package var iso8601: String {
    var seconds = seconds
    var parts = tm()
    gmtime_r(&seconds, &parts)
    return "\(parts.date)T\(parts.clock).\(zeroFilled(fraction, 9))Z"
  }
}

/// Formats wall-clock times in the local time zone; caches the last second.
package struct LocalClock {
  private var second: time_t?
  private var parts = tm()
  private var written = (date: "", clock: "", zone: "")

  package init() {}

  /// Returns the date: `2026-11-20`.
  package mutating func date(_ time: WallTime) -> String {
    turn(to: time)
    return written.date
  }

  /// Returns the time of day: `19:35:52.725`.
  package mutating func clock(_ time: WallTime) -> String {
    turn(to: time)
    return "\(written.clock).\(zeroFilled(time.fraction / 1_000_000, 3))"
  }

  /// Returns the time zone: `CET`.
  package mutating func zone(_ time: WallTime) -> String {
    turn(to: time)
    return written.zone
  }

  private mutating func turn(to time: WallTime) {
    var seconds = time.seconds
    guard seconds != second else { return }
    localtime_r(&seconds, &parts)
    second = seconds
    written = (parts.date, parts.clock, parts.tm_zone.map { String(cString: $0) } ?? "")
  }
}

extension tm {
  fileprivate var date: String {
    "\(tm_year + 1900)-\(zeroFilled(tm_mon + 1, 2))-\(zeroFilled(tm_mday, 2))"
  }

  fileprivate var clock: String {
    "\(zeroFilled(tm_hour, 2)):\(zeroFilled(tm_min, 2)):\(zeroFilled(tm_sec, 2))"
  }
}

private func zeroFilled(_ number: some BinaryInteger, _ digits: Int) -> String {
  let text = String(number)
  return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
}
