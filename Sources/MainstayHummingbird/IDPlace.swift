#if Hummingbird
  internal import Hummingbird
  internal import Logging

  /// Where a logger that writes by swift-log's own handler has the number that a request's id is, to read it where it lies:
  /// who asks is given copies of the handler and of the value, and a hash is made.
  struct IDPlace: Sendable {
    /// Nil where examples are not found there.
    static let found = IDPlace().flatMap { $0.findsExamples ? $0 : nil }

    /// What a box begins with.
    private static let head = 2 * MemoryLayout<UInt>.size
    /// What an existential begins with: three words for its value, or for the box that has it.
    private static let room = 3 * MemoryLayout<UInt>.size
    /// Of the handler, in what a logger holds.
    private let handler: Int
    /// Of the metadata, in the box that a handler is in.
    private let metadata: Int
    private let handlerType = UInt(typeOf: StreamLogHandler.self)
    private let key = TextInMemory(RequestIDs.key)
    private let kind: IDKind

    private init?() {
      guard MemoryLayout<Logger>.size == MemoryLayout<UInt>.size,
        MemoryLayout<StreamLogHandler>.size > Self.room,
        let storage = StoredProperty(of: Logger.self, "_storage")?.type as? AnyClass,
        let handler = StoredProperty(of: storage, "handler", as: (any LogHandler).self),
        let metadata = StoredProperty(
          of: StreamLogHandler.self, "metadata", as: Logger.Metadata.self),
        let kind = IDKind.example, Dictionary.isAsKnown
      else { return nil }
      self.kind = kind
      self.handler = handler.offset
      self.metadata = Self.head + metadata.offset
    }

    /// Where a dictionary's object has what is looked at.
    private enum Dictionary {
      static let scale = 32
      static let keys = 48
      static let values = 56
      static let taken = 64

      static var isAsKnown: Bool {
        let example: Logger.Metadata = ["": ""]
        guard MemoryLayout<Logger.Metadata>.size == MemoryLayout<UInt>.size else { return false }
        let storage: AnyClass = type(of: unsafeBitCast(example, to: AnyObject.self))
        return StoredProperty(of: storage, "_scale", as: Int8.self)?.offset == scale
          && StoredProperty(of: storage, "_rawKeys", as: UnsafeMutableRawPointer.self)?.offset
            == keys
          && StoredProperty(of: storage, "_rawValues", as: UnsafeMutableRawPointer.self)?.offset
            == values
      }
    }

    private var findsExamples: Bool {
      var logger = Logger(label: "") { StreamLogHandler.standardError(label: $0) }
      func number() -> UInt64? { withUnsafePointer(to: logger) { self.number(in: $0) } }
      for others in 0...9 {
        guard number() == nil else { return false }
        let id = Logger.MetadataValue.stringConvertible(RequestID())
        logger[metadataKey: RequestIDs.key] = id
        guard number() == RequestIDs.number(id) else { return false }
        logger[metadataKey: RequestIDs.key] = .string("none")
        guard number() == nil else { return false }
        logger[metadataKey: RequestIDs.key] = nil
        logger[metadataKey: "\(others)"] = id
      }
      return true
    }

    @inline(__always)
    func number(in logger: UnsafeRawPointer) -> UInt64? {
      let handler = logger.load(as: UnsafeRawPointer.self) + handler
      guard handler.load(fromByteOffset: Self.room, as: UInt.self) == handlerType else {
        return nil
      }
      let handlersBox = handler.load(as: UnsafeRawPointer.self)
      return value(in: handlersBox.load(fromByteOffset: metadata, as: UnsafeRawPointer.self))
        .flatMap { kind.number(in: $0) }
    }

    /// The value of the key in a dictionary's memory, as the code reads it that programs have of it. Nil also where it has
    /// more than 32 places.
    @inline(__always)
    private func value(in dictionary: UnsafeRawPointer) -> UnsafePointer<Logger.MetadataValue>? {
      let scale = dictionary.load(fromByteOffset: Dictionary.scale, as: Int8.self)
      guard scale < 6 else { return nil }
      let keys = dictionary.load(
        fromByteOffset: Dictionary.keys, as: UnsafePointer<TextInMemory>.self)
      let values = dictionary.load(
        fromByteOffset: Dictionary.values, as: UnsafePointer<Logger.MetadataValue>.self)
      let places: UInt64 = 1 << (1 << scale) - 1
      var taken = dictionary.load(fromByteOffset: Dictionary.taken, as: UInt64.self) & places
      while taken != 0 {
        let place = taken.trailingZeroBitCount
        if keys[place] == key { return values + place }
        taken &= taken - 1
      }
      return nil
    }
  }
#endif
