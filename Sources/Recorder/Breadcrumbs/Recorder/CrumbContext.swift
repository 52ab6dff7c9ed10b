internal import CRecorder
import Synchronization

/// Values that all crumbs of a call have.
///
/// `@unchecked Sendable`: its bytes are written where it is made, and only read from then on.
package struct CrumbContext: @unchecked Sendable {
  package typealias Values = [(key: String, value: CrumbValue)]

  // The first field: the crash handler reads it from the runtime's storage of a task-local value.
  let encoded: ms_crumb_context
  /// Holds the bytes; nil if none exists.
  private let memory: ContextMemory?
  /// All of them.
  package let values: Values

  @TaskLocal package static var here = CrumbContext()

  static var isHere: Bool {
    ms_crumb_context_key() != nil && (encodedHere != nil || CrumbSource.here != nil)
  }

  /// Those of here as they lie, as the crash handler finds them: the task keeps them while it runs what asks.
  static var encodedHere: ms_crumb_context? {
    ms_task_local(ms_crumb_context_key())?.load(as: ms_crumb_context.self)
  }

  fileprivate static let isBegun: Void = ms_crumb_context_begin(
    Unmanaged.passUnretained($here).toOpaque())

  /// None.
  private init() {
    encoded = ms_crumb_context()
    memory = nil
    values = []
  }

  /// Adds `more` to the values that are set here; for equal keys the inner value wins.
  package init(adding more: Values) {
    let outer = Self.here.values.filter { old in !more.contains { $0.key == old.key } }
    self.init(only: outer + more)
  }

  /// These alone.
  package init(only values: Values) {
    Self.isBegun
    self.values = values
    let room = values.reduce(0) { $0 + DataEncoder.room($1.key, $1.value) }
    (memory, encoded) = ContextMemory.make(room: room) { bytes in
      var encoder = DataEncoder(bytes: bytes)
      for (key, value) in values { encoder.add(key, value) }
      return (encoder.size, UInt32(encoder.count))
    }
  }
}

/// A second source of values for all crumbs here: an adapter that keeps them in a task-local value of another library.
package enum CrumbSource {
  private static let isInstalled = Atomic<Bool>(false)
  // Written once, before `isInstalled` says so.
  nonisolated(unsafe) private static var find: (@Sendable () -> CrumbContext?)?
  private static let installing = Mutex(false)

  /// Calls `find` while each crumb is recorded: `find` must not record one. The first installed function stays.
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

/// Adds these values to all crumbs that `operation` records: across `await`, in child tasks and in a `Task`
/// that it creates, but not in work that it sends to a queue or in `Task.detached`. A violation or a crash
/// inside has them too.
///
///     try await withCrumbs(["order": .integer(order.id)]) { try await ship(order) }
///
/// - Parameters:
///   - values: Keys and values, in addition to those of an outer call. The crumb's own data takes what space
///     they leave.
///   - operation: The code that records the crumbs.
public func withCrumbs<Result>(
  _ values: KeyValuePairs<String, CrumbValue>, operation: () throws -> Result
) rethrows -> Result {
  try CrumbContext.$here.withValue(CrumbContext(adding: Array(values)), operation: operation)
}

/// Like the synchronous version, for an operation that awaits.
public func withCrumbs<Result>(
  _ values: KeyValuePairs<String, CrumbValue>, isolation: isolated (any Actor)? = #isolation,
  operation: () async throws -> Result
) async rethrows -> Result {
  try await CrumbContext.$here.withValue(
    CrumbContext(adding: Array(values)), operation: operation, isolation: isolation)
}

/// Like the version with crumb values, with plain values as `record` takes them: `["order": order.id]`.
@_disfavoredOverload
public func withCrumbs<Result>(
  _ values: KeyValuePairs<String, any CustomStringConvertible>, operation: () throws -> Result
) rethrows -> Result {
  try CrumbContext.$here.withValue(
    CrumbContext(adding: values.map { ($0, CrumbValue(describing: $1)) }), operation: operation)
}

/// Like the synchronous version with plain values, for an operation that awaits.
@_disfavoredOverload
public func withCrumbs<Result>(
  _ values: KeyValuePairs<String, any CustomStringConvertible>,
  isolation: isolated (any Actor)? = #isolation, operation: () async throws -> Result
) async rethrows -> Result {
  try await CrumbContext.$here.withValue(
    CrumbContext(adding: values.map { ($0, CrumbValue(describing: $1)) }), operation: operation,
    isolation: isolation)
}
