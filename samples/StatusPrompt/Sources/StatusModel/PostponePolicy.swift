import Foundation

/// How long a user who has postponed is left alone.
package enum PostponePolicy: Sendable, Hashable {
  /// As long as the app runs; they are asked again after the next launch.
  case untilNextLaunch
  /// For so many days, however often the app is launched.
  case days(Int)

  /// Whether the user is still to be left alone.
  package func isQuiet(
    after postponement: Postponement?, on today: CalendarDay, launch: UUID
  ) -> Bool {
    guard let postponement else { return false }
    switch self {
    case .untilNextLaunch: return postponement.launch == launch
    // A postponement of the future was made by a wrong clock, and is not to hold for years.
    case .days(let days):
      return postponement.day <= today && today < postponement.day.adding(days: days)
    }
  }
}
