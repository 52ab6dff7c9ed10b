/// A breadcrumb before it is written, for a redaction hook to see and change.
public struct CrumbDraft: Sendable {
  /// Where the crumb belongs.
  public let category: StaticString
  /// How much it matters.
  public let level: CrumbLevel
  /// What it says.
  public var message: String
  /// What it carries.
  public var data: [(key: String, value: CrumbValue)]
}
