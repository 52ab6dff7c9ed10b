/// Where the screen's script stands.
public enum ScriptState: Sendable, Hashable {
  /// It is on its way; so many times was it asked for.
  case loading(attempt: Int)
  case ready
  /// It could not be loaded.
  case missing(ScriptError)
  /// It is there, but something in it has thrown.
  case broken(ScriptError)

  /// Whether it is on its way.
  public var isLoading: Bool {
    if case .loading = self { true } else { false }
  }

  /// What the screen says of it.
  var words: String {
    switch self {
    case .loading: "The script is loading."
    case .ready: "The script is ready."
    case .missing(let error): "The script was not loaded: \(error)"
    case .broken(let error): "The script has failed: \(error)"
    }
  }

  /// Whether loading it again may help.
  var canRetry: Bool {
    switch self {
    case .loading, .ready: false
    case .missing, .broken: true
    }
  }
}
