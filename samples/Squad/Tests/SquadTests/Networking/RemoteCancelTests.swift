import Foundation
import FoundationNetworking
import LoopbackHTTP
import SampleSupport
import Synchronization
import Testing

@testable import Squad

/// Requests that nobody waits for any more.
@Suite struct RemoteCancelTests {
  private let session = URLSession.withoutCache(queue: "squad.network")

  @Test func nothingIsAnsweredAfterCancel() async throws {
    let gate = Gate()
    let asked = Gate()
    let server = try LoopbackServer { _ in
      asked.open()
      gate.pass()
      return .text("1")
    }
    let answers = Mutex(0)
    let remote = Remote(session, retry: .exact)
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
      let call = remote.load(URLRequest(url: server.url), Int.self) { _ in
        answers.withLock { $0 += 1 }
      }
      asked.pass()
      call.cancel()
      gate.open()
      // The session's queue is serial: what it has for the first comes before this.
      session.dataTask(with: server.url) { _, _, error in
        done.resume(with: error.map { .failure($0) } ?? .success(()))
      }.resume()
    }
    #expect(answers.withLock { $0 } == 0)
  }

  @Test func whatIsCancelledBetweenTwoAttemptsIsNotAskedAgain() async throws {
    let server = try LoopbackServer { _ in .status(500) }
    let held = Mutex<(@Sendable () -> Void)?>(nil)
    let call = Mutex<(any Cancellable)?>(nil)
    await withCheckedContinuation { done in
      let scheduler = Scheduler { _, work in
        held.withLock { $0 = work }
        done.resume()
      }
      let remote = Remote(session, retry: .exact, scheduler: scheduler)
      let started = remote.load(URLRequest(url: server.url), Int.self) { _ in
        Issue.record("a cancelled request was answered")
      }
      call.withLock { $0 = started }
    }
    call.withLock { $0 }?.cancel()
    held.withLock { $0 }?()
    #expect(server.requests.count == 1)
  }
}
