import Foundation
import FoundationNetworking
import LoopbackHTTP
import SampleSupport
import Testing
import ThreadAffinity

@testable import Squad

/// The remote against a real server: what it makes of each answer, and when it asks again.
@Suite struct RemoteTests {
  private let session = URLSession.withoutCache(queue: "squad.network")
  private let waits = RecordedDelays()

  private struct Thing: Codable, Sendable, Equatable {
    let name: String
  }

  private func load(
    _ server: LoopbackServer, retry: RetryPolicy = .exact
  ) async -> Result<Thing, RemoteError> {
    let remote = Remote(session, retry: retry, scheduler: waits.scheduler)
    return await answer { done in
      _ = remote.load(URLRequest(url: server.url), Thing.self, answer: done)
    }
  }

  /// A server that gives these answers in turn, the last one for good.
  private func server(_ answers: HTTPResponse...) throws -> LoopbackServer {
    let rest = Turns(answers)
    return try LoopbackServer { _ in rest.next() }
  }

  private let good = HTTPResponse.text(#"{"name": "Iron"}"#)

  @Test func decodesWhatCame() async throws {
    #expect(await load(try server(good)) == .success(Thing(name: "Iron")))
    #expect(waits.delays.isEmpty)
  }

  @Test func asksAgainWhereTheServerFails() async throws {
    let server = try server(.status(503), .hangUp, good)
    #expect(await load(server) == .success(Thing(name: "Iron")))
    #expect(server.requests.count == 3)
    #expect(waits.delays == [.seconds(1), .seconds(2)])
  }

  @Test func givesUpAfterTheLastAttempt() async throws {
    let server = try server(.status(500))
    #expect(await load(server) == .failure(.status(500)))
    #expect(server.requests.count == 3)
  }

  @Test(arguments: [400, 401, 404, 409])
  func asksOnceWhereTheRequestIsAtFault(status: Int) async throws {
    let server = try server(.status(status))
    #expect(await load(server) == .failure(.status(status)))
    #expect(server.requests.count == 1)
  }

  @Test func malformedAnswersAreNotAskedForAgain() async throws {
    for text in ["", "{", #"{"nome": "Iron"}"#, "<html>"] {
      let server = try server(.text(text))
      guard case .failure(.malformed) = await load(server) else {
        Issue.record("“\(text)” was taken for an answer")
        continue
      }
      #expect(server.requests.count == 1)
    }
  }

  @Test func anAnswerThatIsCutOffIsNotTakenForAWhole() async throws {
    var cut = good
    cut.cutAfter = 5
    let server = try server(cut, good)
    #expect(await load(server) == .success(Thing(name: "Iron")))
    #expect(server.requests.count == 2)
  }

  @Test func aServerThatIsDownIsUnreachable() async throws {
    let server = try server(good)
    server.stop()
    guard case .failure(.unreachable) = await load(server) else {
      Issue.record("nobody was there to answer")
      return
    }
    #expect(waits.delays.count == 2)
  }

  @Test func aPatientServerIsTakenAtItsWord() async throws {
    let later = HTTPResponse(status: 429, headers: ["Retry-After": "7"])
    #expect(await load(try server(later, good)) == .success(Thing(name: "Iron")))
    #expect(waits.delays == [.seconds(7)])
  }

  @Test func nobodyWaitsForAMinute() async throws {
    let muchLater = HTTPResponse(status: 429, headers: ["Retry-After": "60"])
    let outcome = await load(try server(muchLater, good))
    #expect(outcome == .failure(.status(429, retryAfter: .seconds(60))))
  }

  @Test func answersOffTheMainQueue() async throws {
    let server = try server(good)
    let remote = Remote(session)
    let isOnMain: Bool = await answer { done in
      _ = remote.load(URLRequest(url: server.url), Thing.self) { _ in
        done(MainQueue.isCurrent)
      }
    }
    #expect(!isOnMain)
  }
}
