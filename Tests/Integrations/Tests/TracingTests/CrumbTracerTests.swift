import Breadcrumbs
import CrashCapture
import Dispatch
import Foundation
import InMemoryTracing
import CrashscanLogs
import MainstayTracing
import Testing
import ThreadAffinity
import Tracing

@Suite(.serialized) struct CrumbTracerTests {
  private let log = TemporaryLog()
  // One for all: what it puts in place stays in place.
  private static let base = InMemoryTracer()
  private static let tracer = CrumbTracer(base) { headers in
    SpanIDs(headers: headers)
      ?? headers["in-memory-trace-id"].flatMap { trace in
        headers["in-memory-span-id"].map { SpanIDs(trace: trace, span: $0) }
      }
  }

  @Test func crumbsHaveTheIdsOfTheirSpan() async throws {
    let recorder = try log.open()
    recorder.record("before")
    await Self.tracer.withSpan("outer") { outer in
      recorder.record("in the outer one")
      await Self.tracer.withSpan("inner") { _ in
        await Task { recorder.record("in a task of the inner one", data: ["item": 7]) }.value
      }
      withCrumbs(["order": 42]) { recorder.record("beside other values") }
      _ = outer
    }
    recorder.close()
    let crumbs = try log.crumbs().filter { $0.kind == "note" && $0.category != "mainstay" }
    let spans = Self.base.finishedSpans.suffix(2)
    let (inner, outer) = (try #require(spans.first), try #require(spans.last))
    #expect(crumbs.map { $0.text("span_id") } == [nil, outer, inner, outer].map { $0?.spanID })
    #expect(crumbs.dropFirst().allSatisfy { $0.text("trace_id") == outer.traceID })
    #expect(crumbs.last?.number("order") == 42)
  }

  @Test func aRedactionHookSeesTheIds() throws {
    let recorder = try log.open { draft in
      draft.data.removeAll { $0.key == "trace_id" }
    }
    Self.tracer.withSpan("one") { _ in recorder.record("hello") }
    recorder.close()
    let crumb = try #require(try log.crumbs().first { $0.message == "hello" })
    #expect(crumb.text("trace_id") == nil && crumb.text("span_id") != nil)
  }

  @Test func aViolationIsAnEventOfItsSpan() throws {
    let recorder = try log.open()
    let prices = Affinity.queue(DispatchQueue(label: "com.example.prices"))
    Self.tracer.withSpan("request") { _ in _ = prices.expect("prices change") }
    recorder.close()
    let span = try #require(Self.base.finishedSpans.last)
    let event = try #require(span.events.first { $0.name == "mainstay.violation" })
    #expect(event.attributes.get("mainstay.message") == .string("prices change"))
    #expect(event.attributes.get("mainstay.expected") == .string("queue com.example.prices"))
  }

  @Test func aHangIsASpan() async throws {
    let recorder = try log.open()
    CrashHandler.install(recordingTo: recorder)
    _ = Self.tracer
    let queue = DispatchQueue(label: "com.example.slow")
    let watch = HangWatch(queue: queue, threshold: .milliseconds(50))
    func hang() -> FinishedInMemorySpan? {
      Self.base.finishedSpans.first {
        $0.attributes.get("mainstay.executor") == .string("queue com.example.slow")
      }
    }
    while hang() == nil {
      await withCheckedContinuation { done in
        queue.async {
          usleep(150_000)
          done.resume()
        }
      }
      try await Task.sleep(for: .milliseconds(20))
    }
    withExtendedLifetime(watch) {}
    let span = try #require(hang())
    #expect(span.operationName == "hang" && span.events.map(\.name) == ["mainstay.hang"])
    let took = span.endInstant.nanosecondsSinceEpoch - span.startInstant.nanosecondsSinceEpoch
    #expect(took >= 50_000_000)
  }

  @Test func idsAreReadFromUsualHeaders() {
    let w3c = SpanIDs(headers: [
      "traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    ])
    #expect(w3c == SpanIDs(trace: "0af7651916cd43dd8448eb211c80319c", span: "b7ad6b7169203331"))
    #expect(
      SpanIDs(headers: ["b3": "80f198ee56343ba8-e457b5a2e4d86bd1-1"])?.span == "e457b5a2e4d86bd1")
    for headers in [["b3": "0"], ["traceparent": ""], [:]] {
      #expect(SpanIDs(headers: headers) == nil)
    }
  }
}
