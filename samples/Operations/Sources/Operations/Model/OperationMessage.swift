import Foundation

/// What the script says of an operation, in JSON.
///
///     {"id": "…", "message": "progress", "progress": 40}
///     {"id": "…", "message": "completed", "state": "success"}
///
/// What else stands in it is left alone.
public struct OperationMessage: Sendable, Hashable {
  /// What has become of the operation.
  public enum Event: Sendable, Hashable {
    /// It has come so far, in percent.
    case progress(Int)
    /// It is over, well or not.
    case completed(isSuccess: Bool)
  }

  /// Which operation is meant.
  public let id: OperationID
  /// What has become of it.
  public let event: Event

  /// A message about an operation.
  public init(_ id: OperationID, _ event: Event) {
    self.id = id
    self.event = event
  }

  /// Reads what the script has posted.
  public init(_ message: ScriptMessage) throws(MessageError) {
    guard message.isText else { throw .notText }
    let wire: Wire
    do {
      wire = try JSONDecoder().decode(Wire.self, from: Data(message.body.utf8))
    } catch {
      throw MessageError(error)
    }
    self.init(OperationID(wire.id), try wire.event())
  }
}

/// The JSON's own shape; which fields there are depends on the message's kind.
private struct Wire: Decodable {
  let id: String
  let message: String
  let progress: Double?
  let state: String?

  func event() throws(MessageError) -> OperationMessage.Event {
    switch message {
    case "progress":
      guard let progress else { throw .missing("progress") }
      guard let percent = Int(exactly: progress) else { throw .wrongType("progress") }
      guard (0...100).contains(percent) else { throw .outOfRange(percent) }
      return .progress(percent)
    case "completed":
      switch state {
      case "success": return .completed(isSuccess: true)
      case "error": return .completed(isSuccess: false)
      case let other?: throw .unknownState(other)
      case nil: throw .missing("state")
      }
    default: throw .unknownKind(message)
    }
  }
}
