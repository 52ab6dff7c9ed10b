#if Tracing
  internal import Breadcrumbs
  internal import Synchronization
  internal import Tracing

  /// The ids of a span, as crumbs contain them.
  public struct SpanIDs: Sendable, Hashable {
    /// The id of the trace.
    public var trace: String
    /// The id of the span.
    public var span: String

    /// Creates ids, in any format.
    public init(trace: String, span: String) {
      self.trace = trace
      self.span = span
    }

    /// Reads the ids of `traceparent: 00-TRACE-SPAN-01`, or of `b3: TRACE-SPAN-1`; nil if both headers are
    /// missing.
    public init?(headers: [String: String]) {
      let (value, isW3C) = (headers["traceparent"] ?? headers["b3"], headers["traceparent"] != nil)
      guard let parts = value?.split(separator: "-").dropFirst(isW3C ? 1 : 0), parts.count >= 2
      else {
        return nil
      }
      self.init(trace: String(parts[parts.startIndex]), span: String(parts[parts.startIndex + 1]))
    }
  }

  /// The data in the context of a span: its ids, and a function that finds the span.
  final class BegunSpan: Sendable {
    private let state = Mutex<
      (values: CrumbContext?, find: (@Sendable (ServiceContext) -> (any Span)?)?)
    >(
      (nil, nil))

    /// The values for crumbs, read during each recording. The lock is uncontended once the span has begun.
    var values: CrumbContext? { state.withLock { $0.values } }

    func begin<Base: Tracer>(_ span: Base.Span, _ ids: SpanIDs?, _ base: Base) {
      let values = ids.map {
        CrumbContext(only: [("trace_id", .string($0.trace)), ("span_id", .string($0.span))])
      }
      // Weak, because the span's context refers to this object: a strong reference would form a cycle.
      let object = WeakSpan(Base.Span.self is AnyClass ? span as AnyObject : nil)
      state.withLock { state in
        state.values = values
        state.find = { context in
          (object.span as? any Span) ?? base.activeSpan(identifiedBy: context)
        }
      }
    }

    func span(in context: ServiceContext) -> (any Span)? {
      state.withLock { $0.find }?(context)
    }
  }

  /// `@unchecked Sendable`: spans are `Sendable`, and reading a weak reference is as safe as reading a strong
  /// reference.
  private final class WeakSpan: @unchecked Sendable {
    weak var span: AnyObject?

    init(_ span: AnyObject?) { self.span = span }
  }

  enum SpanKey: ServiceContextKey {
    typealias Value = BegunSpan
  }
#endif
