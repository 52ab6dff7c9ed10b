internal import CBreadcrumbLog
import Synchronization

/// What all crumbs below a call have.
package final class CrumbContext: Sendable {
  package typealias Values = [(key: String, value: CrumbValue)]

  // The first member: a crash handler reads it where it lies.
  nonisolated(unsafe) let encoded: ms_crumb_context

  @TaskLocal package static var here: CrumbContext?

  static var isHere: Bool {
    ms_crumb_context_is_used() && (here != nil || CrumbSource.here != nil)
  }

  fileprivate static let isBegun: Void = ms_crumb_context_begin(
    Unmanaged.passUnretained($here).toOpaque())

  /// What they have here already, and this; of one key it is this.
  package convenience init(adding more: Values) {
    Self.isBegun
    self.init(more, in: Self.here)
  }

  /// These alone.
  package convenience init(only values: Values) { self.init(values, in: nil) }

  /// What they have here already, and two texts: as the first, and without a list of them.
  package convenience init(
    adding key: String, _ text: String, _ otherKey: String, _ otherText: String
  ) {
    Self.isBegun
    let room = EncodedValue.room(key, text) + EncodedValue.room(otherKey, otherText)
    self.init(
      room: room, in: Self.here, replaces: { $0.isEqual(to: key) || $0.isEqual(to: otherKey) }
    ) { encoder in
      encoder.add(key, .string(text))
      encoder.add(otherKey, .string(otherText))
    }
  }

  private convenience init(_ values: Values, in outer: CrumbContext?) {
    let room = values.reduce(0) { room, more in
      if case .string(let text) = more.value { return room + EncodedValue.room(more.key, text) }
      return room + EncodedValue.room(more.key, "")
    }
    self.init(
      room: room, in: outer, replaces: { old in values.contains { old.isEqual(to: $0.key) } }
    ) { encoder in
      for (key, value) in values { encoder.add(key, value) }
    }
  }

  private init(
    room: Int, in outer: CrumbContext?, replaces: (EncodedValue.Bytes) -> Bool,
    add: (inout DataEncoder) -> Void
  ) {
    let before = outer?.encoded.size ?? 0
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: Int(before) + room + 1)
    var encoder = DataEncoder(bytes: bytes)
    if let outer {
      for value in EncodedValue.Sequence(outer.encoded) where !replaces(value.key) {
        encoder.add(ms_crumb_context(bytes: value.start, size: value.size, count: 1))
      }
    }
    add(&encoder)
    encoded = ms_crumb_context(bytes: bytes, size: encoder.size, count: UInt32(encoder.count))
  }

  deinit { encoded.bytes.deallocate() }

  /// All of them.
  var values: Values {
    EncodedValue.Sequence(encoded).map {
      (key: String(decoding: $0.key, as: UTF8.self), value: $0.value)
    }
  }
}

/// Who else knows what all crumbs here have: an adapter that keeps it in a task-local value of another library's.
package enum CrumbSource {
  private static let isInstalled = Atomic<Bool>(false)
  // Written once, before `isInstalled` says so.
  nonisolated(unsafe) private static var find: (@Sendable () -> CrumbContext?)?
  private static let installing = Mutex(false)

  /// Asks `find` for each crumb from now on, in the midst of it: it must not leave one. The first stays.
  package static func install(_ find: @escaping @Sendable () -> CrumbContext?) {
    installing.withLock { isDone in
      guard !isDone else { return }
      isDone = true
      self.find = find
      isInstalled.store(true, ordering: .releasing)
      CrumbContext.isBegun
    }
  }

  static var here: CrumbContext? {
    isInstalled.load(ordering: .acquiring) ? find?() : nil
  }
}

/// Gives all crumbs that `operation` leaves these values: across `await`, in child tasks and in a `Task` that it
/// begins; not in work that it sends to a queue, nor in `Task.detached`. A violation or a crash inside tells
/// them too.
///
///     try await withCrumbs(["order": .integer(order.id)]) { try await ship(order) }
///
/// - Parameters:
///   - values: Keys and values, in addition to those of a call around this one. What a crumb has of its own and they leave
///     room for is kept.
///   - operation: What leaves the crumbs.
public func withCrumbs<Result>(
  _ values: KeyValuePairs<String, CrumbValue>, operation: () throws -> Result
) rethrows -> Result {
  try CrumbContext.$here.withValue(CrumbContext(adding: Array(values)), operation: operation)
}

/// The same for an operation that awaits.
public func withCrumbs<Result>(
  _ values: KeyValuePairs<String, CrumbValue>, isolation: isolated (any Actor)? = #isolation,
  operation: () async throws -> Result
) async rethrows -> Result {
  try await CrumbContext.$here.withValue(
    CrumbContext(adding: Array(values)), operation: operation, isolation: isolation)
}

/// The same with plain values, as `record` takes them: `["order": order.id]`.
@_disfavoredOverload
public func withCrumbs<Result>(
  _ values: KeyValuePairs<String, any CustomStringConvertible>, operation: () throws -> Result
) rethrows -> Result {
  try CrumbContext.$here.withValue(CrumbContext(adding: values.map(plain)), operation: operation)
}

/// The same with plain values, for an operation that awaits.
@_disfavoredOverload
public func withCrumbs<Result>(
  _ values: KeyValuePairs<String, any CustomStringConvertible>,
  isolation: isolated (any Actor)? = #isolation, operation: () async throws -> Result
) async rethrows -> Result {
  try await CrumbContext.$here.withValue(
    CrumbContext(adding: values.map(plain)), operation: operation, isolation: isolation)
}

private func plain(
  _ key: String, _ value: any CustomStringConvertible
) -> (key: String, value: CrumbValue) {
  func opened<Value: CustomStringConvertible>(_ value: Value) -> CrumbValue {
    CrumbValue(value, of: PlainType(Value.self))
  }
  return (key, opened(value))
}
