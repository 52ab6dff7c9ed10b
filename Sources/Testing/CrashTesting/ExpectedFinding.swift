import AffinityTesting
import CrashAnalysis

/// A finding of `crashscan`, by the id of its rule.
public struct ExpectedFinding: Sendable, Hashable, ExpressibleByStringLiteral {
  /// The id, as listed by `crashscan rules`.
  public let rule: String

  /// Creates an expected finding from the id of a rule.
  public init(stringLiteral rule: String) { self.rule = rule }

  /// Throws an error if no rule has this id.
  func check() throws(StormError) {
    if RuleBook.description(of: rule) != nil { return }
    let names = RuleBook.descriptions.map(\.id).sorted().joined(separator: ", ")
    throw StormError(description: "unknown rule “\(rule)”; the rules are \(names)")
  }

  /// A queue or isolation check failed and ended the process.
  public static let isolationTrap: ExpectedFinding = "isolation-trap"
  /// Any crash, independent of its cause.
  public static let crash: ExpectedFinding = "crash-cause"
  /// A callback reached main-queue work without a hop.
  public static let unhoppedCallback: ExpectedFinding = "unhopped-callback"
  /// UI work ran after the process had entered the background.
  public static let uiAfterBackground: ExpectedFinding = "ui-after-background"
  /// UI work ran off the main queue.
  public static let offMainUI: ExpectedFinding = "off-main-ui"
}
