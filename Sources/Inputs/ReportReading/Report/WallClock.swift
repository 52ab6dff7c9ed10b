/// Parses the time formats of reports.
enum WallClock {
  /// The nanoseconds since 1970 of `2024-10-01 08:00:00.123 +0200`, `2024-10-01T08:00:00.123Z` and
  /// the like; nil for anything else.
  static func nanoseconds(_ text: String) -> UInt64? {
    var rest = Substring(text)
    guard let year = number(&rest, "-"), let month = number(&rest, "-"), (1...12).contains(month),
      let day = number(&rest, " T"), (1...31).contains(day), let hour = number(&rest, ":"),
      let minute = number(&rest, ":"), (1970...2200).contains(year), hour < 24, minute < 60
    else { return nil }
    let second = Int(rest.prefix(while: \.isNumber)) ?? 0
    rest = rest.drop(while: \.isNumber)
    var fraction = 0
    if rest.first == "." {
      let digits = rest.dropFirst().prefix(while: \.isNumber)
      fraction = Int((digits + "000000000").prefix(9)) ?? 0
      rest = rest.dropFirst(digits.count + 1)
    }
    guard second <= 60 else { return nil }
    let days = daysSince1970(year, month, day)
    let seconds = ((days * 24 + hour) * 60 + minute) * 60 + second - offset(rest.trimmed)
    return seconds < 0 ? nil : UInt64(seconds) * 1_000_000_000 + UInt64(fraction)
  }

  /// The nanoseconds since 1970 of a text or a number; nil for anything else.
  static func nanoseconds(_ json: JSON?) -> UInt64? {
    if let text = json?.string { return nanoseconds(text) }
    return json?.double.flatMap { nanoseconds($0) }
  }

  /// The nanoseconds since 1970 for a number of seconds, or of milliseconds if the number is too
  /// large for seconds.
  static func nanoseconds(_ number: Double) -> UInt64? {
    let time = nanoseconds(seconds: number > 1e11 ? number / 1000 : number)
    return time > 0 ? time : nil
  }

  /// The nanoseconds of a time or a duration; 0 if `seconds` is negative, not a number, or beyond the year 2200.
  static func nanoseconds(seconds: Double) -> UInt64 {
    seconds > 0 && seconds < 7_289_654_400 ? UInt64(seconds * 1e9) : 0
  }

  private static func number(_ text: inout Substring, _ ends: String) -> Int? {
    let digits = text.prefix(while: \.isNumber)
    let after = text.dropFirst(digits.count)
    guard let end = after.first, ends.contains(end), digits.count <= 4 else { return nil }
    text = after.dropFirst()
    return Int(digits)
  }

  /// The offset from UTC in seconds, from `+0200`, `+02:00` or `Z`.
  private static func offset(_ zone: String) -> Int {
    guard let sign = zone.first, sign == "+" || sign == "-" else { return 0 }
    let digits = zone.dropFirst().filter(\.isNumber).prefix(4)
    guard digits.count == 4, let value = Int(digits) else { return 0 }
    return (sign == "-" ? -1 : 1) * ((value / 100) * 3600 + (value % 100) * 60)
  }

  private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
    // In years that start in March, the leap day comes last.
    let years = month <= 2 ? year - 1 : year
    let era = years / 400
    let ofEra = years - era * 400
    let ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
  }
}
