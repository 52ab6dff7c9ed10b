#if Hummingbird
  public import Breadcrumbs
  public import Hummingbird
  internal import LogWords
  internal import Synchronization

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
      let route = routes.name(request.method.rawValue, context.endpointPath)
      let crumbs = CrumbContext(
        adding: LogKey.request, route, LogKey.requestID, id(of: context))
      return try await CrumbContext.$here.withValue(crumbs) {
        leaveBegin(of: request)
        let begin = ContinuousClock.now
        do {
          let response = try await next(request, context)
          leaveEnd(since: begin, status: response.status.code)
          return response
        } catch {
          let status = (error as? any HTTPResponseError)?.status.code
          leaveEnd(since: begin, status: status ?? 500, by: status == nil ? error : nil)
          throw error
        }
      }
    }

    private func leaveBegin(of request: Request) {
      if headers.isEmpty {
        recorder.record(LogMessage.requestBegins, category: LogCategory.request)
      } else {
        recorder.record(
          requestBegins, level: .info, inCategory: requestCategory, values: values(of: request))
      }
    }

    /// The request's id, which its logger has; but for one that keeps no metadata.
    private func id(of context: Context) -> String {
      context.logger[metadataKey: "hb.request.id"]?.description
        ?? "\(requestsWithoutID.add(1, ordering: .relaxed).newValue)"
    }

    private func values(of request: Request) -> [(key: String, value: CrumbValue)] {
      request.headers.compactMap { field in
        let name = field.name.canonicalName
        guard headers.contains(name) else { return nil }
        let shown = redact.map { $0(name, field.value) } ?? field.value
        return shown.map { (name, .string($0)) }
      }
    }

    private func leaveEnd(
      since begin: ContinuousClock.Instant, status: Int, by error: (any Error)? = nil
    ) {
      let (seconds, attoseconds) = (ContinuousClock.now - begin).components
      let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
      guard let error else {
        recorder.record(
          requestEnds, category: LogCategory.request,
          data: ["status": .integer(Int64(status)), LogKey.nanoseconds: .integer(nanoseconds)])
        return
      }
      // Its text may have what nobody is to read.
      recorder.record(
        requestEnds, category: LogCategory.request,
        data: [
          "status": .integer(Int64(status)), LogKey.nanoseconds: .integer(nanoseconds),
          "error": .string("\(type(of: error))"),
        ])
    }
  }

  private let requestBegins = "\(LogMessage.requestBegins)"
  private let requestEnds = "\(LogMessage.requestEnds)"
  private let requestCategory = "\(LogCategory.request)"
  private let requestsWithoutID = Atomic<UInt64>(0)
#endif
