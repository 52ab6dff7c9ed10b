/// What a user has said about their status, and when they were last checked.
package struct KYSProfile: Sendable, Hashable, Codable {
  /// What the check has said; nil where the user never said.
  package let status: KYSStatus?
  /// When that was.
  package let lastCheck: CalendarDay?

  package init(status: KYSStatus?, lastCheck: CalendarDay?) {
    self.status = status
    self.lastCheck = lastCheck
  }

  /// That of somebody of whom nothing is known yet.
  package static let unknown = KYSProfile(status: nil, lastCheck: nil)
}
