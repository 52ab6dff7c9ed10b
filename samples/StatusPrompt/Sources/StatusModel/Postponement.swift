import Foundation

/// That a user does not want to be asked now.
package struct Postponement: Sendable, Hashable, Codable {
  /// When they said so.
  package let day: CalendarDay
  /// In which launch of the app.
  package let launch: UUID

  package init(day: CalendarDay, launch: UUID) {
    self.day = day
    self.launch = launch
  }
}
