/// What a script has posted to a message handler.
public struct ScriptMessage: Sendable, Hashable {
  /// The handler's name.
  public let handler: String
  /// The text that was posted; of anything else, its JSON.
  public let body: String
  /// Whether a text was posted.
  public let isText: Bool

  /// A message to a handler.
  public init(handler: String = "jumbo", body: String, isText: Bool = true) {
    self.handler = handler
    self.body = body
    self.isText = isText
  }
}
