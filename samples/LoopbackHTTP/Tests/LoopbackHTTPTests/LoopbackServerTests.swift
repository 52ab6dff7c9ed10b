import Foundation
import FoundationNetworking
import LoopbackHTTP
import Testing

@Suite struct LoopbackServerTests {
  private let session = URLSession(configuration: .ephemeral)

  private func fetch(_ request: URLRequest) async throws -> (Int, Data) {
    let (data, response) = try await session.data(for: request)
    return (try #require(response as? HTTPURLResponse).statusCode, data)
  }

  @Test func answersWhatItsHandlerSays() async throws {
    let server = try LoopbackServer { request in
      .text("\(request.method) \(request.path) \(request.query["limit"] ?? "-")", status: 203)
    }
    let url = try #require(URL(string: "heroes/7?limit=20&offset=4", relativeTo: server.url))
    let (status, data) = try await fetch(URLRequest(url: url))
    #expect(status == 203)
    #expect(String(decoding: data, as: UTF8.self) == "GET /heroes/7 20")
    #expect(server.requests.map(\.query) == [["limit": "20", "offset": "4"]])
  }

  @Test func readsWhatIsSentAlong() async throws {
    let server = try LoopbackServer { HTTPResponse(body: $0.body) }
    var request = URLRequest(url: server.url)
    request.httpMethod = "POST"
    request.httpBody = Data(repeating: 7, count: 100_000)
    let (_, data) = try await fetch(request)
    #expect(data == request.httpBody)
  }

  @Test func followsRedirects() async throws {
    let server = try LoopbackServer { request in
      request.path == "/old" ? .redirect(to: "/new") : .text(request.path)
    }
    let (_, data) = try await fetch(URLRequest(url: server.url.appendingPathComponent("old")))
    #expect(String(decoding: data, as: UTF8.self) == "/new")
  }

  @Test func aCutAnswerAndAHungUpOneAreErrors() async throws {
    let server = try LoopbackServer { request in
      request.path == "/cut"
        ? HTTPResponse(body: Data(count: 1000), cutAfter: 10) : .hangUp
    }
    for path in ["cut", "gone"] {
      await #expect(throws: URLError.self) {
        try await session.data(from: server.url.appendingPathComponent(path))
      }
    }
  }

  @Test func aGateHoldsOneAnswerWhileOthersPass() async throws {
    let gate = Gate()
    let server = try LoopbackServer { request in
      if request.path == "/late" { gate.pass() }
      return .text(request.path)
    }
    async let late = fetch(URLRequest(url: server.url.appendingPathComponent("late")))
    let (_, soon) = try await fetch(URLRequest(url: server.url.appendingPathComponent("soon")))
    #expect(String(decoding: soon, as: UTF8.self) == "/soon")
    gate.open()
    #expect(try await String(decoding: late.1, as: UTF8.self) == "/late")
  }

  @Test func refusesOnceStopped() async throws {
    let server = try LoopbackServer { _ in .status(204) }
    #expect(try await fetch(URLRequest(url: server.url)).0 == 204)
    server.stop()
    await #expect(throws: URLError.self) { try await fetch(URLRequest(url: server.url)) }
  }
}
