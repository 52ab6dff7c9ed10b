#if Tracing
  internal import Breadcrumbs
  internal import Synchronization
  internal import Tracing

  /// A span's ids, as crumbs have them.
  public struct SpanIDs: Sendable, Hashable {
    /// The trace's.
    public var trace: String
    /// The span's.
    public var span: String

    /// Creates ids, in any format.
    public init(trace: String, span: String) {
      self.trace = trace
      self.span = span
    }

    /// The ids of `traceparent: 00-TRACE-SPAN-01`, or of `b3: TRACE-SPAN-1`; nil if there is neither.
    public init?(headers: [String: String]) {
      let (value, isW3C) = (headers["traceparent"] ?? headers["b3"], headers["traceparent"] != nil)
      guard let parts = value?.split(separator: "-").dropFirst(isW3C ? 1 : 0), parts.count >= 2
      else {
        return nil
      }
      self.init(trace: String(parts[parts.startIndex]), span: String(parts[parts.startIndex + 1]))
    }
  }

  /// The data carried in the context of a span: its ids, and the way back to the span.
  final class BegunSpan: Sendable {
    private let state = Mutex<
      (values: CrumbContext?, find: (@Sendable (ServiceContext) -> (any Span)?)?)
    >(
      (nil, nil))

    /// Read while a crumb is recorded: the lock is free once the span has begun.
    var values: CrumbContext? { state.withLock { $0.values } }

    func begin<Base: Tracer>(_ span: Base.Span, _ ids: SpanIDs?, _ base: Base) {
      let values = ids.map {
        CrumbContext(only: [("trace_id", .string($0.trace)), ("span_id", .string($0.span))])
      }
      // The span's context leads here: held, neither would ever go.
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

  /// `@unchecked Sendable`: spans are `Sendable`, and a weak reference is read as safely as a strong one.
  private final class WeakSpan: @unchecked Sendable {
    weak var span: AnyObject?

    init(_ span: AnyObject?) { self.span = span }
  }

  enum SpanKey: ServiceContextKey {
    typealias Value = BegunSpan
  }
#endif
