#if Tracing
  internal import CrashCapture
  internal import Synchronization
  internal import Tracing

  /// Records each hang as a separate span, because the delayed span is unknown.
  enum HangSpans {
    private static let open = Mutex<[String: any Span]>([:])

    static func begin(_ tracer: some Tracer) {
      CrashHandler.watchHangs { hang in
        if hang.hasEnded {
          open.withLock { $0.removeValue(forKey: hang.executor) }?.end()
          return
        }
        let now = DefaultTracerClock.now.nanosecondsSinceEpoch
        let span = tracer.startSpan(
          "hang", context: .topLevel, ofKind: .internal,
          at: PastInstant(nanosecondsSinceEpoch: now - min(hang.nanoseconds, now)))
        span.attributes["mainstay.executor"] = hang.executor
        span.addEvent(
          SpanEvent(
            name: "mainstay.hang", attributes: ["mainstay.executor": .string(hang.executor)]))
        open.withLock { $0.updateValue(span, forKey: hang.executor) }?.end()
      }
    }
  }

  private struct PastInstant: TracerInstant {
    let nanosecondsSinceEpoch: UInt64

    static func < (one: PastInstant, other: PastInstant) -> Bool {
      one.nanosecondsSinceEpoch < other.nanosecondsSinceEpoch
    }
  }
#endif
