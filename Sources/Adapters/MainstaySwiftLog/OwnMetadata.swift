#if SwiftLog
  internal import Logging

  /// The metadata that a logger adds to every line. A service creates a logger for each request and gives it
  /// one value; a single value needs no dictionary.
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
        switch self {
        case .none:
          self = newValue.map { .one(key: key, value: $0) } ?? .none
        case .one(let own, _) where own == key:
          self = newValue.map { .one(key: key, value: $0) } ?? .none
        case .one(let own, let value):
          if let newValue { self = .more([own: value, key: newValue]) }
        case .more(var all):
          self = .none  // releases the copy, so that the dictionary is changed in place
          all[key] = newValue
          self = OwnMetadata(all)
        }
      }
    }
  }
#endif
