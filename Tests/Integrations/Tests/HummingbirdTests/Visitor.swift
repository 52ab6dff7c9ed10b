import Foundation
import FoundationNetworking
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle

/// Asks an application that is open.
struct Visitor {
  private let port: Int
  private let session = URLSession(configuration: .ephemeral)

  fileprivate init(port: Int) { self.port = port }

  /// What it answers.
  func get(
    _ path: String, _ headers: [String: String] = [:]
  ) async throws -> (status: Int?, body: String) {
    try await ask("GET", path, headers)
  }

  func ask(
    _ method: String, _ path: String, _ headers: [String: String] = [:]
  ) async throws -> (status: Int?, body: String) {
    var request = URLRequest(url: URL(string: "http://127.0.0.1:\(port)\(path)")!)
    request.httpMethod = method
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    let (body, response) = try await session.data(for: request)
    return ((response as? HTTPURLResponse)?.statusCode, String(decoding: body, as: UTF8.self))
  }

  /// Hangs up, which the application waits for when it is to end.
  fileprivate func leave() { session.finishTasksAndInvalidate() }
}

/// Opens an application of this router at a port that is free, for as long as `visit` takes.
func whileOpen<Context: RequestContext>(
  _ router: Router<Context>, logger: Logger? = nil, _ visit: (Visitor) async throws -> Void
) async throws where Context.Source == ApplicationRequestContextSource {
  let (ports, open) = AsyncStream<Int>.makeStream()
  let application = Application(
    router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
    onServerRunning: { open.yield($0.localAddress?.port ?? 0) }, logger: logger)
  let group = ServiceGroup(
    configuration: .init(services: [application], logger: application.logger))
  async let end: Void = {
    defer { open.finish() }
    try await group.run()
  }()
  for await port in ports {
    let visitor = Visitor(port: port)
    defer { visitor.leave() }
    try await visit(visitor)
    break
  }
  await group.triggerGracefulShutdown()
  try await end
}
