import AffinityTesting
import Foundation
import FoundationNetworking
import Testing
import ThreadAffinity

@testable import Sites

/// The service against a session whose protocol is ours; `EndpointTests` has a real server.
@Suite(.affinityChecked) struct NetworkingServiceTests {
  private func fetch(
    host: String, _ answer: @escaping MockURLProtocol.Answer
  ) async throws -> Result<[Site], NetworkError> {
    let config = try Samples.config(["APIEndpoint": "http://\(host)/sites.json"])
    let service = NetworkingService(
      config: config, transport: MockURLProtocol.session(for: host, answer))
    return await withCheckedContinuation { continuation in
      service.fetchSites { result in
        expectMainQueue("an answer")
        continuation.resume(returning: result)
      }
    }
  }

  @Test func wellFormedJSONBecomesSites() async throws {
    let result = try await fetch(host: "success.example") { request in
      (Samples.response(request.url), Samples.json(Samples.sites))
    }
    #expect(result == .success(Samples.sites))
  }

  @Test func anEmptyListIsAListToo() async throws {
    let result = try await fetch(host: "empty.example") { request in
      (Samples.response(request.url), Data("[]".utf8))
    }
    #expect(result == .success([]))
  }

  @Test(arguments: [500, 404, 301, 199]) func aStatusOtherThanSuccessIsAFailedRequest(
    status: Int
  ) async throws {
    let result = try await fetch(host: "status\(status).example") { request in
      (Samples.response(request.url, status: status), Samples.json(Samples.sites))
    }
    #expect(result == .failure(.requestFailed(.status(status))))
  }

  @Test func noAnswerIsAFailedRequest() async throws {
    let result = try await fetch(host: "lost.example") { _ in
      throw URLError(.networkConnectionLost)
    }
    #expect(result == .failure(.requestFailed(.noAnswer(.networkConnectionLost))))
  }

  @Test(arguments: [
    ("{", "no JSON"), ("", "no JSON"), ("{}", "no Array<Any>"),
    (#"[{"name": "N", "url": "u", "icon": 7, "description": "d"}]"#, "no String at 0.icon"),
    (#"[{"name": "N", "url": "u", "icon": "i"}]"#, "no “description” at 0"),
    (#"[{"name": null, "url": "u", "icon": "i", "description": "d"}]"#, "at 0.name"),
  ])
  func malformedJSONIsADecodingErrorThatSaysWhere(json: String, place: String) async throws {
    let result = try await fetch(host: "malformed\(json.hash).example") { request in
      (Samples.response(request.url), Data(json.utf8))
    }
    guard case .failure(.decodingError(let text)) = result else {
      Issue.record("not a decoding error: \(result)")
      return
    }
    #expect(text.hasSuffix(place))
  }

  @Test func itAsksTheEndpointOfTheConfigurationAndNoCache() async throws {
    let held = HeldTransport()
    let config = try Samples.config([
      "APIEndpoint": "http://there.example/s?x=1", "RequestTimeout": 3,
    ])
    NetworkingService(config: config, transport: held).fetchSites { _ in }
    let request = try #require(held.requests.first)
    #expect(request.url?.absoluteString == "http://there.example/s?x=1")
    #expect(request.timeoutInterval == 3)
    #expect(request.cachePolicy == .reloadIgnoringLocalCacheData)
  }
}
