/// Why what the script has posted is no message about an operation.
public enum MessageError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Something other than a text was posted.
  case notText
  /// The text is no JSON.
  case notJSON
  /// The JSON is no object.
  case notAnObject
  /// A field is not there.
  case missing(String)
  /// A field holds something of another type.
  case wrongType(String)
  /// Nobody knows such a kind of message.
  case unknownKind(String)
  /// Nobody knows such a way to end.
  case unknownState(String)
  /// A progress of less than 0 or more than 100 percent.
  case outOfRange(Int)

  init(_ error: any Error) {
    switch error as? DecodingError {
    case .keyNotFound(let key, _): self = .missing(key.stringValue)
    case .valueNotFound(_, let context), .typeMismatch(_, let context):
      self = context.codingPath.last.map { .wrongType($0.stringValue) } ?? .notAnObject
    case .dataCorrupted, nil: self = .notJSON
    @unknown default: self = .notJSON
    }
  }

  /// What is wrong, in words.
  public var description: String {
    switch self {
    case .notText: "not a text"
    case .notJSON: "not JSON"
    case .notAnObject: "not an object"
    case .missing(let field): "no “\(field)”"
    case .wrongType(let field): "“\(field)” of the wrong type"
    case .unknownKind(let kind): "unknown kind “\(kind)”"
    case .unknownState(let state): "unknown state “\(state)”"
    case .outOfRange(let progress): "progress of \(progress) %"
    }
  }
}
