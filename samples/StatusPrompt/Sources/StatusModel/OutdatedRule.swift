/// Says when a status is outdated: when its check is older than so many months.
package struct OutdatedRule: Sendable, Hashable {
  /// How many months a check holds.
  package let months: Int

  package init(months: Int) {
    precondition(months >= 0, "a check cannot be outdated before it was made")
    self.months = months
  }

  /// Whether the user should be asked on that day: on the last day of the months it is not older yet.
  ///
  /// A status that was never said, or without a date, is outdated. A check of the future is not:
  /// somebody's clock is wrong, and asking does not fix that.
  package func isOutdated(_ profile: KYSProfile, on today: CalendarDay) -> Bool {
    guard profile.status != nil, let lastCheck = profile.lastCheck else { return true }
    return today > lastCheck.adding(months: months)
  }
}
