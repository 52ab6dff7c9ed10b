/// A breadcrumb before it is written, which a redaction hook can read and change.
public struct CrumbDraft: Sendable {
  /// The category of the crumb.
  public let category: String
  /// The level of the crumb.
  public let level: CrumbLevel
  /// The message.
  public var message: String
  /// The keys and values.
  public var data: [(key: String, value: CrumbValue)]
}
