import Foundation
import FoundationNetworking
import Testing

@testable import Squad

/// A session hands over three values that may each be missing: every combination is one outcome.
@Suite struct OutcomeTests {
  private let url = URL(string: "http://127.0.0.1/")!

  private func response(_ status: Int) -> HTTPURLResponse? {
    HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: nil)
  }

  @Test func anErrorCountsBeforeAllElse() {
    let outcome = RemoteCall.outcome(Data([1]), response(200), URLError(.timedOut))
    #expect(outcome == .failure(.unreachable(.timedOut)))
  }

  @Test func noResponseIsNoAnswer() {
    #expect(throws: RemoteError.self) { try RemoteCall.outcome(Data([1]), nil, nil).get() }
    let other = URLResponse(
      url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
    #expect(throws: RemoteError.self) { try RemoteCall.outcome(Data([1]), other, nil).get() }
  }

  @Test func noDataOfAGoodResponseIsEmpty() {
    #expect(RemoteCall.outcome(nil, response(204), nil) == .success(Data()))
  }

  @Test func theBodyOfABadResponseIsLeftAlone() {
    #expect(RemoteCall.outcome(Data([1]), response(500), nil) == .failure(.status(500)))
  }
}
