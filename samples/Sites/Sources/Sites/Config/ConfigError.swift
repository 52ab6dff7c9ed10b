/// Why the app's property list cannot be used.
public enum ConfigError: Error, Equatable, CustomStringConvertible {
  /// There is no such file, or it may not be read.
  case unreadable(String)
  /// The file is something else.
  case notAPropertyList(String)
  /// A key that must be there is not.
  case missing(String)
  /// What stands under a key is of no use.
  case unusable(String, String)

  /// One line, for whoever wrote the list.
  public var description: String {
    switch self {
    case .unreadable(let file): "\(file) cannot be read"
    case .notAPropertyList(let file): "\(file) is no property list with keys"
    case .missing(let key): "\(key) is missing"
    case .unusable(let key, let value): "\(key) cannot be “\(value)”"
    }
  }
}
