import Foundation
import FoundationNetworking
import LoopbackHTTP
import Testing

@Suite struct LoopbackServerTests {
  @Test func itAnswersWhatItsHandlerSays() async throws {
    let server = try LoopbackServer { request in
      .text("\(request.method) \(request.path) \(request.query["page"] ?? "-")", status: 201)
    }
    let url = try #require(URL(string: "rows/a%20b?page=2", relativeTo: server.url))
    let (data, response) = try await URLSession.shared.data(from: url)
    #expect(String(decoding: data, as: UTF8.self) == "GET /rows/a b 2")
    #expect((response as? HTTPURLResponse)?.statusCode == 201)
  }

  @Test func itReceivesBodiesLargerThanOnePiece() async throws {
    let server = try LoopbackServer { .text("\($0.body.count) \($0.headers["x-kind"] ?? "-")") }
    var request = URLRequest(url: server.url)
    request.httpMethod = "POST"
    request.httpBody = Data(repeating: 7, count: 300_000)
    request.setValue("large", forHTTPHeaderField: "X-Kind")
    let (data, _) = try await URLSession.shared.data(for: request)
    #expect(String(decoding: data, as: UTF8.self) == "300000 large")
  }

  @Test func onceStoppedItRefuses() async throws {
    let server = try LoopbackServer { _ in .notFound }
    server.stop()
    await #expect(throws: URLError.self) {
      try await URLSession.shared.data(from: server.url)
    }
  }
}
