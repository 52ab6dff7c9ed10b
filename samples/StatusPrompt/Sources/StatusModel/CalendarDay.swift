import Foundation

/// A day of the Gregorian calendar, in no time zone: the date of a check.
package struct CalendarDay: Sendable, Hashable {
  package let year: Int
  package let month: Int
  package let day: Int

  /// A day; nil where the calendar has no such one.
  package init?(_ year: Int, _ month: Int, _ day: Int) {
    let parts = DateComponents(year: year, month: month, day: day)
    guard let date = Self.calendar.date(from: parts) else { return nil }
    self.init(date)
    // The calendar takes the 30th of February for a day of March.
    guard (self.year, self.month, self.day) == (year, month, day) else { return nil }
  }

  /// The day that it is somewhere at a moment.
  package init(of moment: Date, in zone: TimeZone) {
    var calendar = Self.calendar
    calendar.timeZone = zone
    self.init(calendar.dateComponents([.year, .month, .day], from: moment))
  }

  private init(_ date: Date) {
    self.init(Self.calendar.dateComponents([.year, .month, .day], from: date))
  }

  private init(_ parts: DateComponents) {
    year = parts.year ?? 0
    month = parts.month ?? 0
    day = parts.day ?? 0
  }

  /// The same day so many months later; the last of that month where it is shorter.
  package func adding(months: Int) -> CalendarDay { adding(DateComponents(month: months)) }

  /// The day so many days later.
  package func adding(days: Int) -> CalendarDay { adding(DateComponents(day: days)) }

  private func adding(_ distance: DateComponents) -> CalendarDay {
    let parts = DateComponents(year: year, month: month, day: day)
    let later = Self.calendar.date(from: parts).flatMap {
      Self.calendar.date(byAdding: distance, to: $0)
    }
    return later.map { CalendarDay($0) } ?? self
  }

  private static let calendar: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()
}

extension CalendarDay: Comparable {
  /// The earlier one is the lesser.
  package static func < (one: CalendarDay, other: CalendarDay) -> Bool {
    (one.year, one.month, one.day) < (other.year, other.month, other.day)
  }
}

extension CalendarDay: Codable, CustomStringConvertible {
  /// The day as `2019-11-30`.
  package var description: String {
    let month = month < 10 ? "0\(month)" : "\(month)"
    let day = day < 10 ? "0\(day)" : "\(day)"
    return "\(year)-\(month)-\(day)"
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    let parts = text.split(separator: "-").map { Int($0) ?? 0 }
    guard parts.count == 3, let day = CalendarDay(parts[0], parts[1], parts[2]) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "“\(text)” is no day")
    }
    self = day
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
