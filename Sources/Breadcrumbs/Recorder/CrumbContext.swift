internal import CBreadcrumbLog

/// What all crumbs below a call have.
final class CrumbContext: Sendable {
  // The first member: a crash handler reads it where it lies.
  nonisolated(unsafe) let encoded: ms_crumb_context
  let values: [(key: String, value: CrumbValue)]

  @TaskLocal static var here: CrumbContext?

  static var isHere: Bool { ms_crumb_context_is_used() && here != nil }

  private static let isBegun: Void = ms_crumb_context_begin(
    Unmanaged.passUnretained($here).toOpaque())

  /// What they have here already, and this; of one key it is this.
  init(adding more: [(key: String, value: CrumbValue)]) {
    Self.isBegun
    let before = Self.here?.values ?? []
    let values = before.filter { old in !more.contains { $0.key == old.key } } + more
    self.values = values
    encoded = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: MS_DATA_LIMIT) { room in
      var encoder = DataEncoder(bytes: room.baseAddress)
      for (key, value) in values { encoder.add(key, value) }
      let size = Int(encoder.size)
      let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: max(size, 1))
      bytes.update(from: room.baseAddress!, count: size)
      return ms_crumb_context(
        bytes: bytes, size: encoder.size, count: UInt32(encoder.count))
    }
  }

  deinit { encoded.bytes.deallocate() }
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
