#if SwiftLog
  internal import Logging

  /// What every line of a logger has. A service makes a logger for each request and gives it one value: that one needs
  /// no dictionary.
  enum OwnMetadata {
    case none
    case one(key: String, value: Logger.MetadataValue)
    case more(Logger.Metadata)

    init(_ all: Logger.Metadata) {
      guard let first = all.first else {
        self = .none
        return
      }
      self = all.count == 1 ? .one(key: first.key, value: first.value) : .more(all)
    }

    var all: Logger.Metadata {
      switch self {
      case .none: [:]
      case .one(let key, let value): [key: value]
      case .more(let all): all
      }
    }

    subscript(key: String) -> Logger.MetadataValue? {
      get {
        switch self {
        case .none: nil
        case .one(let own, let value): own == key ? value : nil
        case .more(let all): all[key]
        }
      }
      set {
        switch (self, newValue) {
        case (.none, nil): break
        case (.none, let value?): self = .one(key: key, value: value)
        case (.one(let own, _), let value?) where own == key: self = .one(key: key, value: value)
        default:
          var changed = all
          changed[key] = newValue
          self = OwnMetadata(changed)
        }
      }
    }
  }
#endif
