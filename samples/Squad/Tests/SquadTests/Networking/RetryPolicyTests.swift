import Foundation
import FoundationNetworking
import Testing

@testable import Squad

@Suite struct RetryPolicyTests {
  private let lost = RemoteError.unreachable(.networkConnectionLost)

  @Test func waitsTwiceAsLongEachTimeUpToALimit() {
    let policy = RetryPolicy(
      attempts: 7, firstDelay: .seconds(1), longestDelay: .seconds(8), jitter: { 1 })
    let delays = (1...7).map { policy.delay(after: $0, lost) }
    #expect(delays.map { $0.map { Int($0 / .seconds(1)) } } == [1, 2, 4, 8, 8, 8, nil])
  }

  @Test func chanceOnlyShortensADelay() {
    for attempt in 1...2 {
      let whole = RetryPolicy(jitter: { 1 }).delay(after: attempt, lost)
      let delay = RetryPolicy().delay(after: attempt, lost)
      if let whole, let delay {
        #expect((whole * 0.5...whole).contains(delay))
      } else {
        Issue.record("no delay after attempt \(attempt)")
      }
    }
  }

  @Test func whatWillNotPassIsNotTriedAgain() {
    let lasting: [RemoteError] = [
      .malformed("no number"), .status(404), .unreachable(.badURL),
      .unreachable(.unsupportedURL),
    ]
    for error in lasting { #expect(RetryPolicy.standard.delay(after: 1, error) == nil) }
    let passing: [RemoteError] = [lost, .status(500), .status(408), .status(429)]
    for error in passing { #expect(RetryPolicy.standard.delay(after: 1, error) != nil) }
  }

  @Test func neverMeansNever() {
    #expect(RetryPolicy.never.delay(after: 1, lost) == nil)
  }
}
