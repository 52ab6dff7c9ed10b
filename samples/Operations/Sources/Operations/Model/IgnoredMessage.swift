/// A message that changes nothing, and why.
public enum IgnoredMessage: Sendable, Hashable, CustomStringConvertible {
  /// It cannot be read.
  case malformed(MessageError)
  /// No operation of that id was ever started.
  case unknown(OperationID)
  /// It says what is known already.
  case duplicate(OperationID)
  /// It has been overtaken: its operation is over, has come further, or was started anew.
  case late(OperationID)

  /// What is wrong with it, in words.
  public var description: String {
    switch self {
    case .malformed(let error): "malformed: \(error)"
    case .unknown: "of an unknown operation"
    case .duplicate: "twice"
    case .late: "too late"
    }
  }
}
