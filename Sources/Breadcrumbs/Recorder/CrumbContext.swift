internal import CBreadcrumbLog
internal import CRuntime
internal import LogWords
import Synchronization

/// What all crumbs below a call have.
///
/// `@unchecked Sendable`: its bytes are written where it is made, and only read from then on.
package struct CrumbContext: @unchecked Sendable {
  package typealias Values = [(key: String, value: CrumbValue)]

  // The crash handler reads it where the runtime keeps what a task-local holds: it stands first.
  let encoded: ms_crumb_context
  /// Holds the bytes; nil where they are there for ever.
  let memory: ContextMemory?

  @TaskLocal package static var here = CrumbContext()

  static var isHere: Bool {
    ms_crumb_context_key() != nil && (encodedHere != nil || CrumbSource.here != nil)
  }

  /// Those of here as they lie, as the crash handler finds them: the task keeps them while it runs what asks.
  static var encodedHere: ms_crumb_context? {
    ms_task_local(ms_crumb_context_key())?.load(as: ms_crumb_context.self)
  }

  /// Gives all crumbs from now on these values, until `letGo`: `withValue` without a closure, which is a function more that
  /// awaits. `ms_task_local_push` says what must not be in between.
  @inline(__always)
  package func hold() -> HeldContext {
    withUnsafeTemporaryAllocation(of: Self.self, capacity: 1) { moved in
      moved.initializeElement(at: 0, to: self)  // and what it holds there the task gives back
      ms_task_local_push(
        ms_crumb_context_key(), moved.baseAddress,
        unsafeBitCast(Self.self as Any.Type, to: UnsafeRawPointer.self))
    }
    return HeldContext(encoded: encoded)
  }

  fileprivate static let isBegun: Void = ms_crumb_context_begin(
    Unmanaged.passUnretained($here).toOpaque())

  /// None.
  private init() {
    encoded = ms_crumb_context()
    memory = nil
  }

  /// What they have here already, and this; of one key it is this.
  package init(adding more: Values) {
    Self.isBegun
    self.init(more, in: Self.encodedHere)
  }

  /// These alone.
  package init(only values: Values) {
    Self.isBegun
    self.init(values, in: nil)
  }

  /// What they have here already, what `made` has, and a text: what was made before is only copied.
  package init(adding made: CrumbContext, _ key: String, _ text: UnsafeRawBufferPointer) {
    let known = made.encoded
    self.init(
      room: Int(known.size) + EncodedValue.room(key, textSize: text.count), in: Self.encodedHere,
      replaces: { old in
        old.isEqual(to: key) || EncodedValue.Sequence(known).contains { $0.has(key: old) }
      }
    ) { encoder in
      encoder.add(known)
      encoder.add(key, text: text)
    }
    withExtendedLifetime(made) {}
  }

  /// What they have here already and what `made` has, with other bytes in the place of its last.
  package init(adding made: LastingContext, endingIn last: (UInt64, UInt64)) {
    let known = made.ending(in: last)
    guard let outer = Self.encodedHere else {
      self.init(encoded: known, memory: nil)
      return
    }
    self.init(
      room: Int(known.size), in: outer,
      replaces: { old in EncodedValue.Sequence(known).contains { $0.has(key: old) } }
    ) { encoder in
      encoder.add(known)
    }
  }

  private init(_ values: Values, in outer: ms_crumb_context?) {
    let room = values.reduce(0) { room, more in
      if case .string(let text) = more.value {
        return room + EncodedValue.room(more.key, textSize: text.utf8.count)
      }
      return room + EncodedValue.room(more.key, textSize: 0)
    }
    self.init(
      room: room, in: outer, replaces: { old in values.contains { old.isEqual(to: $0.key) } }
    ) { encoder in
      for (key, value) in values { encoder.add(key, value) }
    }
  }

  @inline(__always)
  private init(
    room: Int, in outer: ms_crumb_context?, replaces: (EncodedValue.Bytes) -> Bool,
    add: (inout DataEncoder) -> Void
  ) {
    let (memory, encoded) = ContextMemory.make(room: Int(outer?.size ?? 0) + room) { bytes in
      var encoder = DataEncoder(bytes: bytes)
      if let outer {
        for value in EncodedValue.Sequence(outer) where !replaces(value.key) {
          encoder.add(value.encoded)
        }
      }
      add(&encoder)
      return (encoder.size, UInt32(encoder.count))
    }
    self.init(encoded: encoded, memory: memory)
  }

  fileprivate init(encoded: ms_crumb_context, memory: ContextMemory?) {
    self.encoded = encoded
    self.memory = memory
  }

  /// All of them.
  package var values: Values {
    withExtendedLifetime(memory) {
      EncodedValue.Sequence(encoded).map {
        (key: String(decoding: $0.key, as: UTF8.self), value: $0.value)
      }
    }
  }
}

/// A context whose bytes are never given back, so that nobody has to hold them. Many may be made of it, which differ in its
/// last bytes.
package struct LastingContext: @unchecked Sendable {
  private let encoded: ms_crumb_context

  /// These alone, the last of them a text of sixteen bytes or more; nil where there is no room for all.
  package init?(_ values: CrumbContext.Values) {
    let made = CrumbContext(only: values)
    guard made.values.last?.value == values.last?.value else { return nil }
    encoded = made.encoded
    made.memory.map { _ = Unmanaged.passRetained($0) }
  }

  fileprivate func ending(in last: (UInt64, UInt64)) -> ms_crumb_context {
    var encoded = encoded
    encoded.ending = last
    return encoded
  }

  /// Gives all crumbs from now on these values, with other bytes in the place of the last; nil where they have values
  /// already.
  @inline(__always)
  func hold(endingIn last: (UInt64, UInt64)) -> HeldContext? {
    guard CrumbContext.encodedHere == nil else { return nil }
    return CrumbContext(encoded: ending(in: last), memory: nil).hold()
  }
}

/// A context that the task holds, and keeps.
package struct HeldContext: @unchecked Sendable {
  /// When what it is of began, by the log's clock; 0 before that.
  package var since: UInt64 = 0
  /// Its bytes are there until it is given back.
  let encoded: ms_crumb_context

  fileprivate init(encoded: ms_crumb_context) { self.encoded = encoded }

  /// Gives it back, on the task or thread that holds it.
  package func letGo() { ms_task_local_pop() }
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

  static var here: CrumbContext? { isAsked ? find?() : nil }

  static var isAsked: Bool { isInstalled.load(ordering: .acquiring) }
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
