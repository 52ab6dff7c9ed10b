import Foundation
public import ThreadAffinity

/// Says of UI work off the main queue what Xcode's Main Thread Checker says of it.
public enum MainThreadChecker {
  /// Leaves a crumb where a recorder listens, and complains on standard error, once for each API.
  public static let policy: ViolationPolicy = [
    .record,
    .report { violation in
      FileHandle.standardError.write(Data(complaint(about: violation).utf8))
    },
  ]

  /// In the Main Thread Checker's words where the check is one of this kit's, else in its own.
  static func complaint(about violation: AffinityViolation) -> String {
    let isAPI = violation.site.map { "\($0.file)".hasPrefix("HeadlessUI/") } ?? false
    if !isAPI { return "\(violation)\n" }
    return """
      Main Thread Checker: UI API called on a background thread: \(violation.message)
        on \(violation.place)\n
      """
  }
}
