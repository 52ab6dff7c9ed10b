/// Where the process stands, as a user interface wants to know it.
package enum Step: Sendable, Hashable {
  /// The status is to be checked, or is being asked for.
  case check(isAsking: Bool)
  /// The user is asked whether they would like to update.
  case prompt(KYSProfile)
  /// The user says what their status is now.
  case update(KYSProfile)
  /// The new status is being saved; or could not be, and waits to be saved again.
  case save(KYSStatus, failure: StatusError?)
  /// The process is over.
  case final(Outcome)
}
