#if Hummingbird
  public import Breadcrumbs
  public import Hummingbird
  internal import CLogFormat
  internal import CRecorder

  /// Records a crumb at the begin and at the end of each request, and adds the request's route and id to all
  /// crumbs in between, so that a crash report names the crashed request and all other requests in progress.
  ///
  ///     router.add(middleware: CrumbMiddleware(recorder: diagnostics.recorder))
  ///
  /// The route is the template, `GET /stock/:item`, never the requested path. Add the middleware before the
  /// routes. The initializer adds `AutomaticEvents.waitedSignals` to the recorder, because Hummingbird receives
  /// SIGTERM by a `DispatchSource`.
  public struct CrumbMiddleware<Context: RequestContext>: RouterMiddleware {
    private let recorder: BreadcrumbRecorder
    private let headers: Set<String>
    private let redact: (@Sendable (_ name: String, _ value: String) -> String?)?

    /// Creates a middleware.
    ///
    /// - Parameters:
    ///   - recorder: The recorder for the crumbs.
    ///   - headers: The names of the headers that are recorded in a request's first crumb; none by default.
    ///   - redact: Returns the value to record for a header; nil omits the header.
    public init(
      recorder: BreadcrumbRecorder, headers: [String] = [],
      redact: (@Sendable (_ name: String, _ value: String) -> String?)? = nil
    ) {
      self.recorder = recorder
      self.headers = Set(headers.map { $0.lowercased() })
      self.redact = redact
      recorder.recordWaitedSignals()
    }

    /// Records the crumbs before and after `next`.
    public func handle(
      _ request: Request, context: Context,
      next: (Request, Context) async throws -> Response
    ) async throws -> Response {
      let route = requestName(request.method.rawValue, context.endpointPath)
      let id = requestID(in: context.logger)
      let values = CrumbContext(adding: [
        (MS_KEY_REQUEST, .string(route)), (MS_KEY_REQUEST_ID, .string(id)),
      ])
      return try await CrumbContext.$here.withValue(values) {
        recordBegin(request)
        let begun = ContinuousClock.now
        let token = token(of: begun)
        ms_request_begins(token)
        defer { ms_request_ends(token) }
        do {
          let response = try await next(request, context)
          recordEnd(response.status.code, since: begun)
          return response
        } catch {
          recordEnd(error, since: begun)
          throw error
        }
      }
    }

    private func recordBegin(_ request: Request) {
      guard !headers.isEmpty else {
        return recorder.record(MS_WORD_REQUEST_BEGINS, category: MS_WORD_REQUEST)
      }
      recorder.record(
        MS_WORD_REQUEST_BEGINS, level: .info,
        category: MS_WORD_REQUEST, values: shownHeaders(of: request))
    }

    private func recordEnd(_ status: Int, since begun: ContinuousClock.Instant) {
      recorder.record(
        MS_WORD_REQUEST_ENDS, category: MS_WORD_REQUEST,
        data: [
          MS_KEY_STATUS: .integer(Int64(status)),
          MS_KEY_NANOSECONDS: .integer(nanoseconds(since: begun)),
        ])
    }

    private func recordEnd(_ error: any Error, since begun: ContinuousClock.Instant) {
      if let status = (error as? any HTTPResponseError)?.status.code {
        return recordEnd(status, since: begun)
      }
      // Only the type is recorded, because the text of an error may contain confidential data.
      recorder.record(
        MS_WORD_REQUEST_ENDS, category: MS_WORD_REQUEST,
        data: [
          MS_KEY_STATUS: 500, MS_KEY_NANOSECONDS: .integer(nanoseconds(since: begun)),
          "error": .string("\(type(of: error))"),
        ])
    }

    private func shownHeaders(of request: Request) -> [(key: String, value: CrumbValue)] {
      request.headers.compactMap { field in
        let name = field.name.canonicalName
        guard headers.contains(name) else { return nil }
        let shown = redact.map { $0(name, field.value) } ?? field.value
        return shown.map { (name, .string($0)) }
      }
    }
  }

  private let started = ContinuousClock.now

  /// Returns a number that identifies a request in flight. Two requests that begin in the same nanosecond
  /// share it.
  private func token(of begun: ContinuousClock.Instant) -> UInt64 {
    let (seconds, attoseconds) = (begun - started).components
    let nanoseconds = seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000
    return UInt64(bitPattern: nanoseconds) &+ 1
  }

  private func nanoseconds(since begun: ContinuousClock.Instant) -> Int64 {
    let (seconds, attoseconds) = (ContinuousClock.now - begun).components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
#endif
