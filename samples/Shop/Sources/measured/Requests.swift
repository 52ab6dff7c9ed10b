import Glibc
import Hummingbird
import Logging
import Mainstay
import MainstayHummingbird

/// What a request costs without a server, by a middleware that does nothing and by ours; a line has both, in nanoseconds of
/// processor.
func measureRequests(log: String) async throws {
  let requests = try Requests(log: log)
  let count = 20_000
  for _ in 0..<40 {
    var times: [Double] = []
    for middleware in ["empty", "middleware"] {
      let begin = processorTime()
      try await requests.send(count, through: middleware)
      times.append((processorTime() - begin) / Double(count))
    }
    print(times.map { "\($0)" }.joined(separator: " "))
  }
}

/// Requests to one middleware, without a server.
struct Requests {
  // As Hummingbird keeps them.
  private let middlewares: [String: any MiddlewareProtocol<Request, Response, AnyContext>]

  init(log: String) throws {
    // Alone: valgrind, which counts instructions, does not run with the handlers of crashes.
    let recorder = try BreadcrumbRecorder(path: log)
    middlewares = [
      "empty": EmptyMiddleware(), "middleware": CrumbMiddleware(recorder: recorder),
    ]
  }

  func send(_ count: Int, through name: String) async throws {
    guard let middleware = middlewares[name] else { return }
    let request = Request(
      head: HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: "/stock/nut"),
      body: RequestBody(buffer: ByteBuffer()))
    var logger = Logger(label: "requests") { StreamLogHandler.standardError(label: $0) }
    for _ in 0..<count {
      logger[metadataKey: "hb.request.id"] = .stringConvertible(RequestID())
      let context = AnyContext(source: AnySource(logger: logger))
      context.coreContext.endpointPath.value = "/stock/{item}"
      _ = try await middleware.handle(request, context: context) { _, _ in Response(status: .ok) }
    }
  }
}

/// What this process has had, in nanoseconds.
private func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

/// What any middleware costs.
struct EmptyMiddleware<Context: RequestContext>: RouterMiddleware {
  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response { try await next(request, context) }
}

/// A context that needs no channel.
private struct AnyContext: RequestContext {
  typealias Source = AnySource

  var coreContext: CoreRequestContextStorage

  init(source: AnySource) { coreContext = .init(source: source) }
}

private struct AnySource: RequestContextSource {
  let logger: Logger
}
