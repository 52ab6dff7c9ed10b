#if Tracing
  internal import Breadcrumbs
  internal import CrashCapture
  internal import ThreadAffinity
  public import Tracing

  /// A tracer that wraps another tracer: crumbs recorded in a span have the span's ids, violations become
  /// events of their span, and hangs become spans of their own.
  ///
  ///     InstrumentationSystem.bootstrap(CrumbTracer(tracer))
  ///
  /// The spans are those of the wrapped tracer. A span's ids are read once, when the span begins.
  public struct CrumbTracer<Base: Tracer>: Tracer {
    /// The span type of the wrapped tracer.
    public typealias Span = Base.Span

    private let base: Base
    private let ids: @Sendable ([String: String]) -> SpanIDs?

    /// Creates a tracer that wraps `base`.
    ///
    /// - Parameters:
    ///   - base: The tracer to wrap.
    ///   - ids: Reads a span's ids from the headers that the tracer would inject into a request; by default
    ///     from `traceparent` (W3C) or `b3`.
    public init(
      _ base: Base,
      ids: @escaping @Sendable ([String: String]) -> SpanIDs? = { SpanIDs(headers: $0) }
    ) {
      self.base = base
      self.ids = ids
      CrumbSource.install { ServiceContext.current?[SpanKey.self]?.values }
      ViolationWatch.add { violation in tell(violation) }
      HangSpans.begin(base)
    }

    /// Begins a span of the wrapped tracer.
    public func startSpan<Instant: TracerInstant>(
      _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
      at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
    ) -> Base.Span {
      var context = context()
      let begun = BegunSpan()
      context[SpanKey.self] = begun
      let span = base.startSpan(
        operationName, context: context, ofKind: kind, at: instant(), function: function,
        file: fileID, line: line)
      var headers: [String: String] = [:]
      base.inject(span.context, into: &headers, using: HeaderInjector())
      begun.begin(span, ids(headers), base)
      return span
    }

    /// The span of the wrapped tracer.
    public func activeSpan(identifiedBy context: ServiceContext) -> Base.Span? {
      base.activeSpan(identifiedBy: context)
    }

    /// Flushes the wrapped tracer.
    public func forceFlush() { base.forceFlush() }

    /// Injects a context into headers, as the wrapped tracer does.
    public func inject<Carrier, Inject: Injector>(
      _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {
      base.inject(context, into: &carrier, using: injector)
    }

    /// Extracts a context from headers, as the wrapped tracer does.
    public func extract<Carrier, Extract: Extractor>(
      _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {
      base.extract(carrier, into: &context, using: extractor)
    }
  }

  private struct HeaderInjector: Injector {
    func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) {
      carrier[key] = value
    }
  }

  private func tell(_ violation: AffinityViolation) {
    guard let context = ServiceContext.current, let begun = context[SpanKey.self] else { return }
    var attributes: SpanAttributes = [
      "mainstay.expected": .string(violation.expected),
      "mainstay.ran": .string("\(violation.place)"),
    ]
    if !violation.message.isEmpty { attributes["mainstay.message"] = violation.message }
    if let site = violation.site { attributes["mainstay.at"] = "\(site)" }
    begun.span(in: context)?.addEvent(SpanEvent(name: "mainstay.violation", attributes: attributes))
  }
#endif
