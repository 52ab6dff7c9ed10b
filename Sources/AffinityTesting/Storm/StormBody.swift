/// A storm's body as an address, which a child of this program can find.
enum StormBody {
  /// What a function is made of: where its code is described, and what it captures.
  private struct Parts {
    let code: UInt
    let captures: UInt
  }

  /// A body as it is stored; by itself, a generic function would be given a thunk that captures it.
  private struct Stored {
    let body: CallbackStorm.Body
  }

  /// Where a body is; nil where it captures something, which no other process has.
  static func address(of body: @escaping CallbackStorm.Body) -> UInt? {
    let parts = unsafeBitCast(Stored(body: body), to: Parts.self)
    return parts.captures == 0 ? parts.code : nil
  }

  /// The body at an address.
  static func at(_ address: UInt) -> CallbackStorm.Body {
    unsafeBitCast(Parts(code: address, captures: 0), to: Stored.self).body
  }
}

/// The body of a storm of tasks, as an address.
enum TaskStormBody {
  private struct Parts {
    let code: UInt
    let captures: UInt
  }

  private struct Stored {
    let body: TaskStorm.Body
  }

  /// Where a body is; nil where it captures something.
  static func address(of body: @escaping TaskStorm.Body) -> UInt? {
    let parts = unsafeBitCast(Stored(body: body), to: Parts.self)
    return parts.captures == 0 ? parts.code : nil
  }

  /// The body at an address.
  static func at(_ address: UInt) -> TaskStorm.Body {
    unsafeBitCast(Parts(code: address, captures: 0), to: Stored.self).body
  }
}

/// An asynchronous body without arguments, as an address.
enum AsyncBody {
  typealias Body = @Sendable () async -> Void

  private struct Parts {
    let code: UInt
    let captures: UInt
  }

  private struct Stored {
    let body: Body
  }

  /// Where a body is; nil where it captures something.
  static func address(of body: @escaping Body) -> UInt? {
    let parts = unsafeBitCast(Stored(body: body), to: Parts.self)
    return parts.captures == 0 ? parts.code : nil
  }

  /// The body at an address.
  static func at(_ address: UInt) -> Body {
    unsafeBitCast(Parts(code: address, captures: 0), to: Stored.self).body
  }
}
