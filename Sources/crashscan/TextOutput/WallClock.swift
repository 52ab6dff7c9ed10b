import Glibc

/// Nanoseconds since 1970 as people and machines write them.
package struct WallTime: Sendable, Hashable, Comparable {
  package var nanoseconds: UInt64

  package init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

  /// The time that it is.
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

  /// `2026-11-20T19:35:52.725055012Z`
  package var iso8601: String {
    var seconds = seconds
    var parts = tm()
    gmtime_r(&seconds, &parts)
    return "\(parts.date)T\(parts.clock).\(zeroFilled(fraction, 9))Z"
  }
}

/// Writes wall times in the reader's own time zone; remembers the second it wrote last.
package struct LocalClock {
  private var second: time_t?
  private var parts = tm()
  private var written = (date: "", clock: "", zone: "")

  package init() {}

  /// `2026-11-20`
  package mutating func date(_ time: WallTime) -> String {
    turn(to: time)
    return written.date
  }

  /// `19:35:52.725`
  package mutating func clock(_ time: WallTime) -> String {
    turn(to: time)
    return "\(written.clock).\(zeroFilled(time.fraction / 1_000_000, 3))"
  }

  /// `CET`
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
