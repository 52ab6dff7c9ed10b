import AffinityTesting
import Foundation
import FoundationNetworking
import LoopbackHTTP
import SampleSupport
import SitesServer
import Testing

@testable import Sites

/// The service against a real server, through a real session.
@Suite(.affinityChecked) struct EndpointTests {
  private let server: SiteServer

  init() throws { server = try SiteServer() }

  private func fetch(
    config: [String: Any] = [:]
  ) async throws -> Result<[Site], NetworkError> {
    let values = ["APIEndpoint": server.endpoint.absoluteString].merging(config) { $1 }
    let service = NetworkingService(
      config: try Samples.config(values), transport: URLSession.withoutCache())
    return await withCheckedContinuation { continuation in
      service.fetchSites { continuation.resume(returning: $0) }
    }
  }

  @Test func theSitesCome() async throws {
    let sites = try await fetch().get()
    #expect(sites.map(\.name).prefix(2) == ["Tide tables", "Moon"])
    #expect(sites[0].icon.url == server.address(of: "icons/wave.svg"))
  }

  @Test func redirectsAreFollowed() async throws {
    server.answer("/sites.json", with: .redirect(to: "/moved.json"))
    server.answer("/moved.json", with: .text("[]"))
    #expect(try await fetch() == .success([]))
  }

  @Test func statusAndMalformedJSONAreToldApart() async throws {
    server.answer("/sites.json", with: .status(500))
    #expect(try await fetch() == .failure(.requestFailed(.status(500))))
    server.answer("/sites.json", with: .text("<html>"))
    #expect(try await fetch() == .failure(.decodingError("no JSON")))
  }

  @Test func anAnswerThatBreaksOffIsAFailedRequest() async throws {
    let whole = Samples.json(Samples.sites)
    server.answer("/sites.json", with: HTTPResponse(body: whole, cutAfter: 30))
    #expect(try await isUnanswered())
    server.answer("/sites.json", with: .hangUp)
    #expect(try await isUnanswered())
  }

  @Test func aServerThatIsDownCannotBeReached() async throws {
    server.stop()
    #expect(
      try await fetch() == .failure(.requestFailed(.noAnswer(.cannotConnectToHost))))
  }

  @Test func aServerThatTakesTooLongIsNotWaitedFor() async throws {
    let gate = server.hold("/sites.json")
    let result = try await fetch(config: ["RequestTimeout": 0.3])
    gate.open()
    #expect(result == .failure(.requestFailed(.noAnswer(.timedOut))))
  }

  private func isUnanswered() async throws -> Bool {
    if case .failure(.requestFailed(.noAnswer)) = try await fetch() { true } else { false }
  }
}
