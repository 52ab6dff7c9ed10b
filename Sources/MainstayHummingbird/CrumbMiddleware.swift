#if Hummingbird
  public import Breadcrumbs
  public import Hummingbird
  internal import LogWords

  /// Leaves a crumb where a request begins and one where it ends, and gives all crumbs in between its route and its id, so
  /// that a crash says in which request it was, and which others were in flight.
  ///
  ///     router.add(middleware: CrumbMiddleware(recorder: diagnostics.recorder))
  ///
  /// The route is the template, `GET /stock/:item`, never the path that was asked for. Add it before the routes.
  public struct CrumbMiddleware<Context: RequestContext>: RouterMiddleware {
    private let recorder: BreadcrumbRecorder
    private let headers: Set<String>
    private let routes = RouteNames()
    private let ids = RequestIDs()
    private let redact: (@Sendable (_ name: String, _ value: String) -> String?)?

    /// - Parameters:
    ///   - recorder: Takes the crumbs.
    ///   - headers: The names of headers that a request's first crumb has; none by default.
    ///   - redact: What to write in place of a header's value; nil leaves the header out.
    public init(
      recorder: BreadcrumbRecorder, headers: [String] = [],
      redact: (@Sendable (_ name: String, _ value: String) -> String?)? = nil
    ) {
      self.recorder = recorder
      self.headers = Set(headers.map { $0.lowercased() })
      self.redact = redact
    }

    /// Leaves the crumbs around what comes after it.
    public func handle(
      _ request: Request, context: Context,
      next: (Request, Context) async throws -> Response
    ) async throws -> Response {
      let crumbs = crumbs(of: request, context)
      let begin = leaveBegin(of: request, crumbs)
      do {
        let response = try await CrumbContext.$here.withValue(crumbs) {
          try await next(request, context)
        }
        leaveEnd(status: response.status.code, since: begin, crumbs)
        return response
      } catch {
        if let status = (error as? any HTTPResponseError)?.status.code {
          leaveEnd(status: status, since: begin, crumbs)
        } else {
          leaveEnd(by: error, since: begin, crumbs)
        }
        throw error
      }
    }

    /// What all crumbs of a request have.
    private func crumbs(of request: Request, _ context: Context) -> CrumbContext {
      let route = routes.crumbs(request.method.rawValue, context.endpointPath)
      return ids.withText(of: context) {
        CrumbContext(adding: route, LogKey.requestID, $0)
      }
    }

    private func leaveBegin(of request: Request, _ crumbs: CrumbContext) -> UInt64 {
      guard !headers.isEmpty else {
        return recorder.begin(
          LogMessage.requestBegins, category: LogCategory.request, in: crumbs)
      }
      CrumbContext.$here.withValue(crumbs) {
        recorder.record(
          "\(LogMessage.requestBegins)", level: .info, inCategory: "\(LogCategory.request)",
          values: values(of: request))
      }
      return recorder.now
    }

    private func values(of request: Request) -> [(key: String, value: CrumbValue)] {
      request.headers.compactMap { field in
        let name = field.name.canonicalName
        guard headers.contains(name) else { return nil }
        let shown = redact.map { $0(name, field.value) } ?? field.value
        return shown.map { (name, .string($0)) }
      }
    }

    private func leaveEnd(status: Int, since begin: UInt64, _ crumbs: CrumbContext) {
      recorder.end(
        LogMessage.requestEnds, category: LogCategory.request, in: crumbs, since: begin, "status",
        Int64(status))
    }

    private func leaveEnd(by error: any Error, since begin: UInt64, _ crumbs: CrumbContext) {
      CrumbContext.$here.withValue(crumbs) {
        // Its text may have what nobody is to read.
        recorder.record(
          "\(LogMessage.requestEnds)", category: LogCategory.request,
          data: [
            "status": 500, LogKey.nanoseconds: .integer(recorder.nanoseconds(since: begin)),
            "error": .string("\(type(of: error))"),
          ])
      }
    }
  }
#endif
