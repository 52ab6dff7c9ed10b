import Hummingbird
import Mainstay
import Synchronization

/// Records both ends of each request, as `MainstayHummingbird` does where traits are at hand.
struct RequestCrumbs: RouterMiddleware {
  typealias Context = BasicRequestContext

  private static let requests = Atomic<Int64>(0)

  let recorder: BreadcrumbRecorder

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    let route = "\(request.method) \(context.endpointPath ?? "(no route)")"
    let id = Self.requests.add(1, ordering: .relaxed).newValue
    return try await withCrumbs(["request": .string(route), "requestID": .string("\(id)")]) {
      recorder.record("request begins", category: "request")
      do {
        let response = try await next(request, context)
        recorder.record(
          "request ends", category: "request",
          data: ["status": .integer(Int64(response.status.code))])
        return response
      } catch {
        recorder.record("request ends", category: "request", data: ["status": 500])
        throw error
      }
    }
  }
}
