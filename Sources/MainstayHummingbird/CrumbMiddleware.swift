#if Hummingbird
  public import Breadcrumbs
  public import Hummingbird

  /// Leaves a crumb where a request begins and one where it ends, and gives all crumbs in between its route and its id, so
  /// that a crash says in which request it was, and which others were in flight.
  ///
  ///     router.add(middleware: CrumbMiddleware(recorder: diagnostics.recorder))
  ///
  /// The route is the template, `GET /stock/:item`, never the path that was asked for. Add it before the routes.
  public struct CrumbMiddleware<Context: RequestContext>: RouterMiddleware {
    private let trail: RequestTrail

    /// - Parameters:
    ///   - recorder: Takes the crumbs.
    ///   - headers: The names of headers that a request's first crumb has; none by default.
    ///   - redact: What to write in place of a header's value; nil leaves the header out.
    public init(
      recorder: BreadcrumbRecorder, headers: [String] = [],
      redact: (@Sendable (_ name: String, _ value: String) -> String?)? = nil
    ) {
      trail = RequestTrail(
        recorder: recorder, contexts: Context.self, headers: headers, redact: redact)
    }

    /// Leaves the crumbs around what comes after it.
    @inline(__always)
    public func handle(
      _ request: Request, context: Context,
      next: (Request, Context) async throws -> Response
    ) async throws -> Response {
      // Inlined into what the router calls, which is one asynchronous function less. From begin to end the task holds the
      // request's values: nothing but the next call may stand in between, as `ms_task_local_push` says.
      let begun =
        trail.begin(request, context)
        ?? trail.begin(request, context.coreContext.endpointPath.value, context.logger)
      do {
        let response = try await next(request, context)
        trail.end(begun, status: response.status.code)
        return response
      } catch {
        trail.end(begun, by: error)
        throw error
      }
    }
  }
#endif
