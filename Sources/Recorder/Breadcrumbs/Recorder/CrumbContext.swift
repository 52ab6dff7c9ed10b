internal import CRecorder
import Synchronization

/// Values that are added to all crumbs recorded inside a call.
///
/// `@unchecked Sendable`: `init` writes the bytes, and they never change afterwards.
package struct CrumbContext: @unchecked Sendable {
  package typealias Values = [(key: String, value: CrumbValue)]

  // The first field, because the crash handler reads it from the runtime's storage of a task-local
  // value.
  let encoded: ms_crumb_context
  /// The owner of the encoded bytes; nil if the context is empty.
  private let memory: ContextMemory?
  /// The keys and values.
  package let values: Values

  @TaskLocal package static var here = CrumbContext()

  static var isHere: Bool {
    ms_crumb_context_key() != nil && (encodedHere != nil || CrumbSource.here != nil)
  }

  /// The encoded values of the current context, read directly from the task-local storage as the
  /// crash handler does. The task keeps the storage alive while its code runs.
  static var encodedHere: ms_crumb_context? {
    ms_task_local(ms_crumb_context_key())?.load(as: ms_crumb_context.self)
  }

  fileprivate static let isBegun: Void = ms_crumb_context_begin(
    Unmanaged.passUnretained($here).toOpaque())

  /// Creates an empty context.
  private init() {
    encoded = ms_crumb_context()
    memory = nil
    values = []
  }

  /// Adds `more` to the current context; for equal keys, the value in `more` replaces the outer
  /// one.
  package init(adding more: Values) {
    let outer = Self.here.values
    guard !outer.isEmpty else {
      self.init(only: more)
      return
    }
    self.init(only: outer.filter { old in !more.contains { $0.key == old.key } } + more)
  }

  /// Creates a context with `values` alone.
  package init(only values: Values) {
    Self.isBegun
    self.values = values
    let room = values.reduce(Int(MS_DATA_SLACK)) { $0 + DataEncoder.room($1.key, $1.value) }
    (memory, encoded) = ContextMemory.make(room: room) { bytes in
      let data = DataEncoder.encode(into: bytes) { encoder in
        for (key, value) in values {
          if key == MS_KEY_REQUEST {  // a method and a route
            encoder.add(key, fixed: value)
          } else {
            encoder.add(key, value)
          }
        }
      }
      return (data.size, UInt32(data.count))
    }
  }
}

/// A second source of context values: an adapter that stores them in a task-local value of another
/// library.
package enum CrumbSource {
  private static let isInstalled = Atomic<Bool>(false)
  // The installed function. Written once, before `isInstalled` is set.
  nonisolated(unsafe) private static var find: (@Sendable () -> CrumbContext?)?
  private static let installing = Mutex(false)

  /// Installs a function that returns further context values for each crumb. The function must not
  /// record crumbs. Only the first call of `install` has an effect.
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

/// Adds these values to all crumbs that `operation` records: across `await`, in child tasks and in
/// a `Task` that `operation` creates, but not in work that it sends to a queue or in
/// `Task.detached`. A violation or a crash inside `operation` has the values too.
///
///     try await withCrumbs(["order": .integer(order.id)]) { try await ship(order) }
///
/// - Parameters:
///   - values: Keys and values, in addition to those of an outer call. They reduce the space for
///     the crumb's own data.
///   - operation: The code that records the crumbs.
public func withCrumbs<Result>(
  _ values: KeyValuePairs<String, CrumbValue>, operation: () throws -> Result
) rethrows -> Result {
  try CrumbContext.$here.withValue(CrumbContext(adding: Array(values)), operation: operation)
}

/// Adds these values to all crumbs that an asynchronous operation records.
public func withCrumbs<Result>(
  _ values: KeyValuePairs<String, CrumbValue>, isolation: isolated (any Actor)? = #isolation,
  operation: () async throws -> Result
) async rethrows -> Result {
  try await CrumbContext.$here.withValue(
    CrumbContext(adding: Array(values)), operation: operation, isolation: isolation)
}

/// Adds these values to all crumbs that `operation` records, with plain values as in `record`:
/// `["order": order.id]`.
@_disfavoredOverload
public func withCrumbs<Result>(
  _ values: KeyValuePairs<String, any CustomStringConvertible>, operation: () throws -> Result
) rethrows -> Result {
  try CrumbContext.$here.withValue(
    CrumbContext(adding: values.map { ($0, CrumbValue(describing: $1)) }), operation: operation)
}

/// Adds these values to all crumbs that an asynchronous operation records, with plain values.
@_disfavoredOverload
public func withCrumbs<Result>(
  _ values: KeyValuePairs<String, any CustomStringConvertible>,
  isolation: isolated (any Actor)? = #isolation, operation: () async throws -> Result
) async rethrows -> Result {
  try await CrumbContext.$here.withValue(
    CrumbContext(adding: values.map { ($0, CrumbValue(describing: $1)) }), operation: operation,
    isolation: isolation)
}
