/// How much a breadcrumb matters.
public enum CrumbLevel: UInt8, Sendable, Comparable, CaseIterable {
  /// Of use to whoever debugs this code.
  case debug = 0
  /// An ordinary step.
  case info = 1
  /// A step worth seeing among ordinary ones.
  case notice = 2
  /// Something is odd, and the code goes on.
  case warning = 3
  /// Something failed. Kept apart: only other errors ever push it out of the log.
  case error = 4
  /// The process cannot go on. Kept with the errors.
  case fatal = 5

  /// Whether `lhs` matters less than `rhs`.
  public static func < (lhs: CrumbLevel, rhs: CrumbLevel) -> Bool { lhs.rawValue < rhs.rawValue }
}
