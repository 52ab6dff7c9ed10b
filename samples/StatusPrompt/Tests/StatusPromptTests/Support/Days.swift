import Foundation
import StatusModel

/// The day that is written as `2019-11-23`.
func day(_ text: String) throws -> CalendarDay {
  try JSONDecoder().decode(CalendarDay.self, from: Data("\"\(text)\"".utf8))
}

/// A profile that was checked on that day.
func profile(_ status: KYSStatus? = .negative, checked text: String) throws -> KYSProfile {
  KYSProfile(status: status, lastCheck: try day(text))
}
