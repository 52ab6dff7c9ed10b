#if Hummingbird
  internal import Breadcrumbs
  internal import Hummingbird
  internal import LogWords
  internal import Logging

  /// The crumbs of requests, of whichever context.
  final class RequestTrail: Sendable {
    private let recorder: BreadcrumbRecorder
    private let headers: Set<String>
    private let routes = RouteNames.all
    // Its own: to hold it anew would be an atomic operation of each request.
    private let places: Unmanaged<ContextPlaces>?
    private let begins = ReadyNote(LogMessage.requestBegins, category: LogCategory.request)
    private let ends = ReadyNote(LogMessage.requestEnds, category: LogCategory.request)
    private let redact: (@Sendable (_ name: String, _ value: String) -> String?)?

    init(
      recorder: BreadcrumbRecorder, contexts: any RequestContext.Type, headers: [String],
      redact: (@Sendable (_ name: String, _ value: String) -> String?)?
    ) {
      self.recorder = recorder
      self.headers = Set(headers.map { $0.lowercased() })
      self.redact = redact
      // A first crumb that has headers is made in another way.
      places = headers.isEmpty ? ContextPlaces(of: contexts).map(Unmanaged.passRetained) : nil
    }

    deinit { places?.release() }

    /// Leaves the crumb of a request that begins, and gives all crumbs until its end what it has. Nil where a glance is not
    /// enough.
    @inline(__always)
    func begin<Context: RequestContext>(_ request: Request, _ context: Context) -> HeldContext? {
      guard let glance = places?._withUnsafeGuaranteedRef({ $0.glance(at: context) }) else {
        return nil
      }
      return begin(request, glance)
    }

    @inline(never)
    private func begin(_ request: Request, _ glance: ContextGlance) -> HeldContext? {
      routes.ifSeen(request.method.rawValue, glance.template) { route in
        guard let numbered = route.numbered else { return nil }
        return recorder.begin(begins, in: numbered, endingIn: RequestIDs.text(of: glance.id))
      }
    }

    /// The same of any request.
    @inline(never)
    func begin(_ request: Request, _ template: String?, _ logger: Logger) -> HeldContext {
      let method = request.method.rawValue
      let ofSeen = template.flatMap {
        routes.ifSeen(method, TextInMemory($0)) { $0.crumbs(of: logger) }
      }
      let crumbs = ofSeen ?? routes.crumbs(method, template).crumbs(of: logger)
      return headers.isEmpty ? recorder.begin(begins, in: crumbs) : begin(request, in: crumbs)
    }

    /// Leaves the crumb of one that was answered.
    func end(_ begun: HeldContext, status: Int) { recorder.end(ends, of: begun, status: status) }

    /// Leaves the crumb of one that ended by an error.
    func end(_ begun: HeldContext, by error: any Error) {
      if let status = (error as? any HTTPResponseError)?.status.code {
        return end(begun, status: status)
      }
      // Its text may have what nobody is to read.
      recorder.record(
        "\(LogMessage.requestEnds)", category: LogCategory.request,
        data: [
          LogKey.status: 500,
          LogKey.nanoseconds: .integer(recorder.nanoseconds(since: begun.since)),
          "error": .string("\(type(of: error))"),
        ])
      begun.letGo()
    }

    private func begin(_ request: Request, in crumbs: CrumbContext) -> HeldContext {
      var begun = crumbs.hold()
      recorder.record(
        "\(LogMessage.requestBegins)", level: .info, inCategory: "\(LogCategory.request)",
        values: values(of: request))
      begun.since = recorder.now
      return begun
    }

    private func values(of request: Request) -> [(key: String, value: CrumbValue)] {
      request.headers.compactMap { field in
        let name = field.name.canonicalName
        guard headers.contains(name) else { return nil }
        let shown = redact.map { $0(name, field.value) } ?? field.value
        return shown.map { (name, .string($0)) }
      }
    }
  }
#endif
