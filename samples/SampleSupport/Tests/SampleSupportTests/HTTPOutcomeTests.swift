import Foundation
import FoundationNetworking
import SampleSupport
import Testing

/// A session hands over three values that may each be missing: every combination is one outcome.
@Suite struct HTTPOutcomeTests {
  private let url = URL(string: "http://127.0.0.1/")!

  private func response(_ status: Int, _ headers: [String: String] = [:]) -> HTTPURLResponse? {
    HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: headers)
  }

  /// What a failure says, in one word and its value.
  private func words(_ outcome: HTTPOutcome) -> String {
    switch outcome {
    case .success(let data): "success \(data.count)"
    case .failure(.noAnswer(let error)): "no answer \((error as? URLError)?.code.rawValue ?? 0)"
    case .failure(.status(let status, let wait)): "status \(status) \(wait.map { "\($0)" } ?? "-")"
    case .failure(.unreadable(let error)): "unreadable: \(error)"
    }
  }

  @Test func anErrorCountsBeforeAllElse() {
    #expect(words(HTTPOutcome(Data([1]), response(200), URLError(.timedOut))) == "no answer -1001")
  }

  @Test func noResponseIsNoAnswer() {
    let other = URLResponse(
      url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
    for response in [nil, other] {
      #expect(
        words(HTTPOutcome(Data([1]), response, nil)) == "unreadable: the answer is not HTTP")
    }
  }

  @Test func noDataOfAGoodResponseIsEmpty() {
    #expect(words(HTTPOutcome(nil, response(204), nil)) == "success 0")
  }

  @Test(arguments: [199, 300, 404, 500])
  func theBodyOfABadResponseIsLeftAlone(status: Int) {
    #expect(words(HTTPOutcome(Data([1]), response(status), nil)) == "status \(status) -")
  }

  @Test(arguments: [("7", "7.0 seconds"), ("-7", "0.0 seconds"), ("Friday", "-")])
  func aServerMaySayWhenToAskAgain(header: String, wait: String) {
    let outcome = HTTPOutcome(nil, response(503, ["Retry-After": header]), nil)
    #expect(words(outcome) == "status 503 \(wait)")
  }

  @Test func contentIsDecoded() throws {
    #expect(try HTTPOutcome.success(Data("[1]".utf8)).decoded([Int].self).get() == [1])
    let broken = HTTPOutcome.success(Data("[1".utf8)).decoded([Int].self)
    #expect(throws: HTTPFailure.self) { try broken.get() }
    guard case .failure(.unreadable) = broken else {
      Issue.record("\(broken)")
      return
    }
  }

  @Test func failuresAreSaidInWords() {
    let failures: [HTTPFailure] = [
      .noAnswer(URLError(.timedOut)), .status(404), .unreadable(URLError(.badServerResponse)),
    ]
    #expect(
      failures.map(\.description) == [
        "there is no connection", "the server answered 404", "the answer could not be read",
      ])
  }
}
