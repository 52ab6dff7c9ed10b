/// How important a breadcrumb is.
public enum CrumbLevel: UInt8, Sendable, Comparable, CaseIterable {
  /// Useful for debugging this code.
  case debug = 0
  /// An ordinary step.
  case info = 1
  /// A step that stands out.
  case notice = 2
  /// Something is wrong, but the code continues.
  case warning = 3
  /// Something failed. Only other errors can push it out of the log.
  case error = 4
  /// The process cannot continue. Kept with the errors.
  case fatal = 5

  /// Whether `lhs` is less important than `rhs`.
  public static func < (lhs: CrumbLevel, rhs: CrumbLevel) -> Bool { lhs.rawValue < rhs.rawValue }
}
