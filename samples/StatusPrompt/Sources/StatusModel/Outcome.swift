/// How a process has ended.
package enum Outcome: Sendable, Hashable {
  /// There was nothing to ask.
  case upToDate
  /// There is, but the user has asked to be left alone.
  case leftAlone
  /// The user has postponed or cancelled.
  case cancelled
  /// The status could not be checked; the next launch tries again.
  case unchecked(StatusError)
  /// The new status is saved.
  case saved
}
