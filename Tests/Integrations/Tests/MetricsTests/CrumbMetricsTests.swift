import Breadcrumbs
import CrashCapture
import Dispatch
import Foundation
import CrashscanLogs
import MainstayMetrics
import MetricsTestKit
import Testing
import ThreadAffinity

@Suite struct CrumbMetricsTests {
  private let log = TemporaryLog()

  @Test func crumbsViolationsAndHangsAreCounted() async throws {
    let recorder = try log.open()
    CrashHandler.install(recordingTo: recorder)
    let factory = TestMetrics()
    let metrics = CrumbMetrics(of: recorder, factory: factory)
    func count(_ label: String) throws -> Int64 { try factory.expectCounter(label).totalValue }

    for number in 0..<100 { recorder.record("here", data: ["number": number]) }
    // Threads that are gone count too.
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          await withCheckedContinuation { done in
            Thread.detachNewThread {
              for _ in 0..<50 { recorder.record("there") }
              done.resume()
            }
          }
        }
      }
    }
    _ = Affinity.queue(DispatchQueue(label: "com.example.prices")).expect("prices change")
    metrics.update()
    let counted = try count("mainstay_crumbs")
    #expect(counted >= 301 && counted < 400)
    metrics.update()
    #expect(try count("mainstay_crumbs") >= counted)
    #expect(try count("mainstay_crumbs_dropped") == 0)
    #expect(try count("mainstay_violations") == 1)

    let queue = DispatchQueue(label: "com.example.slow")
    let watch = HangWatch(queue: queue, threshold: .milliseconds(50))
    while try count("mainstay_hangs") == 0 {
      await withCheckedContinuation { done in
        queue.async {
          usleep(150_000)
          done.resume()
        }
      }
      try await Task.sleep(for: .milliseconds(20))
    }
    let dimensions = [("executor", "queue"), ("name", "com.example.slow")]
    let answers = try factory.expectTimer("mainstay_answer_seconds", dimensions)
    while answers.values.isEmpty { try await Task.sleep(for: .milliseconds(20)) }
    #expect(answers.values.allSatisfy { $0 > 0 && $0 < 60_000_000_000 })
    withExtendedLifetime(watch) {}
    recorder.close()
  }

  @Test func itRunsUntilItsTaskIsCancelled() async throws {
    let recorder = try log.open()
    let factory = TestMetrics()
    let metrics = CrumbMetrics(of: recorder, every: .milliseconds(10), factory: factory)
    let running = Task { try await metrics.run() }
    recorder.record("one")
    while try factory.expectCounter("mainstay_crumbs").totalValue == 0 { await Task.yield() }
    running.cancel()
    await #expect(throws: CancellationError.self) { try await running.value }
    recorder.close()
  }
}
