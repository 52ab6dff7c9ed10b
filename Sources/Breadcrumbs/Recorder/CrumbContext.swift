internal import CBreadcrumbLog
internal import CRuntime
internal import LogWords
import Synchronization

/// What all crumbs below a call have.
///
/// `@unchecked Sendable`: written where it is made, and only read from then on, but for the room before them.
package struct CrumbContext: @unchecked Sendable {
  package typealias Values = [(key: String, value: CrumbValue)]

  /// The head and behind it the bytes, in one piece of memory. A crash handler reads it where it lies.
  private let memory: ContextMemory

  @TaskLocal package static var here: CrumbContext?

  static var isHere: Bool {
    ms_crumb_context_is_used() && (encodedHere != nil || CrumbSource.here != nil)
  }

  /// Those of here as they lie, as the crash handler finds them: the task keeps them while it runs what asks.
  static var encodedHere: ms_crumb_context? {
    guard let kept = ms_task_local(ms_crumb_context_key()),
      let object = kept.load(as: UnsafePointer<ms_crumb_context_object>?.self)
    else { return nil }
    return object.pointee.values
  }

  fileprivate static let isBegun: Void = ms_crumb_context_begin(
    Unmanaged.passUnretained($here).toOpaque())

  /// What they have here already, and this; of one key it is this.
  package init(adding more: Values) {
    Self.isBegun
    self.init(more, in: Self.encodedHere)
  }

  /// These alone.
  package init(only values: Values) { self.init(values, in: nil) }

  /// As many bytes as stand free before the values of one that is of something that begins and ends.
  private static let spare = 64

  /// What they have here already, what `made` has, and a text: what was made before is only copied. There is room for what
  /// the crumb of an end has of its own.
  package init(adding made: CrumbContext, _ key: String, _ text: UnsafeRawBufferPointer) {
    Self.isBegun
    let known = made.encoded
    self.init(
      room: Int(known.size) + EncodedValue.room(key, textSize: text.count), spare: Self.spare,
      in: Self.encodedHere,
      replaces: { old in
        old.isEqual(to: key) || EncodedValue.Sequence(known).contains { $0.has(key: old) }
      }
    ) { encoder in
      encoder.add(known)
      encoder.add(key, text: text)
    }
    withExtendedLifetime(made) {}
  }

  /// What they have here already and what `made` has, with other bytes in the place of its last: nothing is encoded.
  package init(adding made: CrumbContext, endingIn last: (UInt64, UInt64)) {
    Self.isBegun
    let known = made.encoded
    self.init(
      room: Int(known.size), spare: Self.spare, in: Self.encodedHere,
      replaces: { old in EncodedValue.Sequence(known).contains { $0.has(key: old) } }
    ) { encoder in
      encoder.add(known)
      encoder.end(in: last)
    }
    withExtendedLifetime(made) {}
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
    room: Int, spare: Int = 0, in outer: ms_crumb_context?, replaces: (EncodedValue.Bytes) -> Bool,
    add: (inout DataEncoder) -> Void
  ) {
    memory = ContextMemory.make(room: spare + Int(outer?.size ?? 0) + room) { start in
      let bytes = start + spare
      var encoder = DataEncoder(bytes: bytes)
      if let outer {
        for value in EncodedValue.Sequence(outer) where !replaces(value.key) {
          encoder.add(ms_crumb_context(bytes: value.start, size: value.size, count: 1))
        }
      }
      add(&encoder)
      return ms_crumb_context(bytes: bytes, size: encoder.size, count: UInt32(encoder.count))
    }
  }

  var encoded: ms_crumb_context { memory.withUnsafeMutablePointerToHeader { $0.pointee } }

  /// Two numbers and then they, in one piece, for the one crumb of an end; nil where there is no room for that.
  func encoded(after key: StaticString, _ number: Int64, nanoseconds: UInt64) -> ms_crumb_context? {
    memory.withUnsafeMutablePointers { header, start in
      let values = header.pointee
      let own =
        EncodedValue.room(keySize: key.utf8CodeUnitCount)
        + EncodedValue.room(keySize: LogKey.nanoseconds.utf8.count)
      let size = UInt32(own) + values.size
      let count = values.count + 2
      guard start + own <= values.bytes, size <= UInt32(MS_DATA_LIMIT), count <= UInt8.max else {
        return nil
      }
      let bytes = UnsafeMutablePointer(mutating: values.bytes) - own
      var isCut = false
      let first = ms_data_integer(bytes, 0, key.utf8Start, key.utf8CodeUnitCount, number, &isCut)
      ms_data_nanoseconds(bytes + Int(first), nanoseconds)
      return ms_crumb_context(bytes: bytes, size: size, count: count)
    }
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
