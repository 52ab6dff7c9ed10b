import Glibc
import TextOutput

/// A start time: a span before the end, or a time of day.
package enum Since: Sendable, Hashable {
  case beforeEnd(nanoseconds: UInt64)
  case at(CalendarTime)

  /// Parses `30s`, `1.5m`, `14:05`, `14:05:30.250`, `2026-11-20 14:05` or `2026-11-20T14:05:30Z`.
  package init?(_ text: String) {
    if let span = Self.span(text) {
      self = .beforeEnd(nanoseconds: span)
    } else if let time = CalendarTime(text) {
      self = .at(time)
    } else {
      return nil
    }
  }

  /// Returns the start time in a log that ends at `end`.
  package func start(endingAt end: WallTime) -> WallTime {
    switch self {
    case .beforeEnd(let span):
      WallTime(nanoseconds: end.nanoseconds - min(span, end.nanoseconds))
    case .at(let time): time.moment(notAfter: end)
    }
  }

  private static func span(_ text: String) -> UInt64? {
    let units: [(String, Double)] = [
      ("ms", 1e6), ("s", 1e9), ("m", 60e9), ("h", 3600e9), ("d", 86_400e9),
    ]
    for (unit, nanoseconds) in units where text.hasSuffix(unit) {
      let number = text.dropLast(unit.count)
      guard number.allSatisfy({ $0.isASCII && $0.isNumber || $0 == "." }),
        let count = Double(number), count * nanoseconds < 9e18
      else { continue }
      return UInt64(count * nanoseconds)
    }
    return nil
  }
}

/// A calendar time with or without its day, in local time or UTC.
package struct CalendarTime: Sendable, Hashable {
  private var day: [Int32]?
  private var clock: [Int32]
  private var nanoseconds: UInt64
  private var isUTC: Bool

  init?(_ text: String) {
    isUTC = text.hasSuffix("Z")
    let parts = (isUTC ? text.dropLast() : text[...]).split(
      whereSeparator: { $0 == "T" || $0 == " " })
    guard let last = parts.last, parts.count <= 2 else { return nil }
    if parts.count == 2 {
      guard let day = Self.numbers(parts[0], "-", [0...9999, 1...12, 1...31]) else { return nil }
      self.day = day
    }
    let pieces = last.split(separator: ".", omittingEmptySubsequences: false)
    guard pieces.count <= 2, let fraction = Self.fraction(pieces.dropFirst().first ?? "0")
    else { return nil }
    nanoseconds = fraction
    let limits: [ClosedRange<Int32>] = [0...23, 0...59, 0...60]
    let hasSeconds = pieces[0].split(separator: ":").count == 3
    guard hasSeconds || pieces.count == 1,
      let clock = Self.numbers(pieces[0], ":", hasSeconds ? limits : limits.dropLast())
    else { return nil }
    self.clock = clock
  }

  /// Returns the moment; without a day, the last such time of day up to `end`.
  func moment(notAfter end: WallTime) -> WallTime {
    var parts = tm()
    var seconds = end.seconds
    if isUTC { gmtime_r(&seconds, &parts) } else { localtime_r(&seconds, &parts) }
    if let day {
      (parts.tm_year, parts.tm_mon, parts.tm_mday) = (day[0] - 1900, day[1] - 1, day[2])
    }
    (parts.tm_hour, parts.tm_min) = (clock[0], clock[1])
    parts.tm_sec = clock.count > 2 ? clock[2] : 0
    let moment = moment(parts)
    if day != nil || moment <= end { return moment }
    parts.tm_mday -= 1
    return self.moment(parts)
  }

  private func moment(_ parts: tm) -> WallTime {
    var parts = parts
    parts.tm_isdst = -1
    let seconds = isUTC ? timegm(&parts) : mktime(&parts)
    return WallTime(nanoseconds: UInt64(max(seconds, 0)) * 1_000_000_000 + nanoseconds)
  }

  private static func numbers(
    _ text: Substring, _ separator: Character, _ limits: some Collection<ClosedRange<Int32>>
  ) -> [Int32]? {
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    guard parts.count == limits.count else { return nil }
    var numbers: [Int32] = []
    for (part, limit) in zip(parts, limits) {
      guard part.allSatisfy(\.isNumber), let number = Int32(part), limit.contains(number)
      else { return nil }
      numbers.append(number)
    }
    return numbers
  }

  private static func fraction(_ digits: Substring) -> UInt64? {
    guard (1...9).contains(digits.count), digits.allSatisfy(\.isNumber) else { return nil }
    return UInt64(digits + String(repeating: "0", count: 9 - digits.count))
  }
}
