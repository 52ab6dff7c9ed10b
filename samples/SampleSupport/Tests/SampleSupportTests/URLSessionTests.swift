import Foundation
import FoundationNetworking
import LoopbackHTTP
import SampleSupport
import Testing

@Suite struct URLSessionTests {
  /// With a cache, Foundation on Linux ended the process in 12 of 24 runs of 2,400 such requests.
  @Test func tasksMayBeCancelledAtAnyMoment() async throws {
    let server = try LoopbackServer { _ in .text("1") }
    let session = URLSession.withoutCache()
    defer { session.invalidateAndCancel() }
    var random = SeededRandom(seed: 1)
    for _ in 0..<200 {
      let tasks = (0..<6).map { _ in session.dataTask(with: server.url) { _, _, _ in } }
      for task in tasks { task.resume() }
      // Some are cancelled as they begin, others as they end.
      let pause = Int.random(in: 0..<5000, using: &random)
      if pause > 500 { try await Task.sleep(for: .microseconds(pause)) }
      for task in tasks { task.cancel() }
    }
    #expect(session.configuration.urlCache == nil)
  }

  @Test func itsQueueHasAName() {
    #expect(URLSession.withoutCache(queue: "sample.network").delegateQueue.name == "sample.network")
  }
}
