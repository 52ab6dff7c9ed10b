import Foundation
public import ThreadAffinity

/// Says of UI work off the main queue what Xcode's Main Thread Checker says of it.
public enum MainThreadChecker {
  /// Leaves a crumb where a recorder listens, and complains on standard error, once for each API.
  public static let policy: Policy = [
    .record,
    .report { violation in
      FileHandle.standardError.write(Data(complaint(about: violation).utf8))
    },
  ]

  static func complaint(about violation: Violation) -> String {
    """
    Main Thread Checker: UI API called on a background thread: \(violation.message)
      on \(violation.place)\n
    """
  }
}
