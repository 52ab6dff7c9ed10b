import BenchmarkHarness
import Breadcrumbs
import CLogFormat
import Foundation

/// Route and ids of requests, of the lengths that Hummingbird's have.
struct RequestTexts {
  let route = "GET /stock/{item}"
  // Many, so that no two requests in a chunk have the same.
  private let ids = (0..<1024).map { (index: UInt64) in
    String(format: "%016lx%016lx", index &* 0x9e37_79b9_7f4a_7c15, ~index)
  }

  func id(_ index: Int) -> String { ids[index & 1023] }
}

/// The crumbs of one request, as `CrumbMiddleware` records them: the context with route and id, the begin, the end.
struct RequestCrumbs: Call {
  let recorder: BreadcrumbRecorder
  let texts = RequestTexts()

  @inline(__always) func callAsFunction(_ index: Int) {
    withCrumbs(["request": .string(texts.route), "requestID": .string(texts.id(index))]) {
      recorder.record("request begins", category: "request")
      recorder.record(
        "request ends", category: "request",
        data: ["status": .integer(200), "nanoseconds": .integer(1_234_567 &+ index)])
    }
  }
}

/// The context of a request without its crumbs.
struct RequestContext: Call {
  let texts = RequestTexts()

  @inline(__always) func callAsFunction(_ index: Int) {
    withCrumbs(["request": .string(texts.route), "requestID": .string(texts.id(index))]) {
      withExtendedLifetime(index) {}
    }
  }
}

/// Prints what the crumbs of a request cost, how many bytes of the log they take, and how long a history of them is.
func compareRequests(in directory: String, rounds: Int) throws {
  let recorder = try BreadcrumbRecorder(path: "\(directory)/requests.log", keepingLast: 0)
  let whole = Contender("request", place: inTask) { _ in RequestCrumbs(recorder: recorder) }
  let context = Contender("context", place: inTask) { _ in RequestContext() }
  var race = Race([whole, context], threads: 1)
  // The difference of two figures is noisy, so each figure of the row is the median of several.
  let repetitions = 5
  race.run(rounds: rounds * repetitions)
  recorder.close()
  let (wholes, contexts) = (race.values("request", \.mean), race.values("context", \.mean))
  let differences = zip(wholes, contexts).map { $0 - $1 }
  let medians = stride(from: 0, to: differences.count, by: repetitions).map {
    Array(differences[$0..<($0 + repetitions)]).quantile(0.5)
  }
  try Row("a request's two crumbs", ours: medians, aim: 60).print()
  try Row(
    "a request's context and two crumbs", ours: wholes, peer: contexts, peerName: "context alone"
  ).print()
  let held = try requestsHeld(in: "\(directory)/history.log")
  try Row(
    "a request's two crumbs, share of the log", unit: "bytes",
    ours: [Double(held.bytes) / Double(held.requests)], aim: 110
  ).print()
  try Row(
    "history of a service at 10,000 requests/s in 8 MiB", unit: "s",
    ours: [Double(held.requests) / 10_000], aim: 4.5, atLeast: true
  ).print()
}

/// Runs `body` in a task on this thread, where a service records the crumbs of its requests.
@Sendable private func inTask(_ body: () -> Void) {
  withoutActuallyEscaping(body) { body in
    nonisolated(unsafe) let body = body
    let done = DispatchSemaphore(value: 0)
    Task.detached(executorPreference: CallingThread()) {
      body()
      done.signal()
    }
    done.wait()
  }
}

/// An executor that runs a task in the call that starts it.
private final class CallingThread: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    job.runSynchronously(on: asUnownedTaskExecutor())
  }
}

/// Fills a new log of 8 MiB several times over, and returns the number of requests that are still in the log, and the
/// size of the pool that contains their crumbs.
private func requestsHeld(in path: String) throws -> (requests: Int, bytes: Int) {
  let count = 250_000
  let recorder = try BreadcrumbRecorder(path: path, capacity: 8 << 20, keepingLast: 0)
  let request = RequestCrumbs(recorder: recorder)
  inTask { for index in 0..<count { request(index) } }
  recorder.close()
  let file = try Data(contentsOf: URL(fileURLWithPath: path))
  let (identity, progress) = file.withUnsafeBytes { bytes in
    // The progress begins at the next cache line. Swift does not import the struct that contains both.
    let offset = (MemoryLayout<ms_log_identity>.size + 63) & ~63
    return (
      bytes.loadUnaligned(as: ms_log_identity.self),
      bytes.loadUnaligned(fromByteOffset: offset, as: ms_log_progress.self)
    )
  }
  // Notes, and the pool of notes.
  let (lost, pool) = (progress.recycled.0 + progress.dropped.0, identity.pools.0)
  return (count - Int(lost) / 2, Int(pool.chunk_size) * Int(pool.chunk_count))
}
