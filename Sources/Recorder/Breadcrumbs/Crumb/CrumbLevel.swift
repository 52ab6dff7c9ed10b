/// The importance of a breadcrumb.
public enum CrumbLevel: UInt8, Sendable, Comparable, CaseIterable {
  /// A detail that helps to debug this code.
  case debug = 0
  /// An ordinary event.
  case info = 1
  /// An unusual event.
  case notice = 2
  /// A problem after which the code continues normally.
  case warning = 3
  /// A failure. Only other errors can overwrite the crumb in the log.
  case error = 4
  /// A failure after which the process cannot continue. The crumb is stored with the errors.
  case fatal = 5

  /// Returns a Boolean value indicating whether `lhs` is less important than `rhs`.
  public static func < (lhs: CrumbLevel, rhs: CrumbLevel) -> Bool { lhs.rawValue < rhs.rawValue }
}
