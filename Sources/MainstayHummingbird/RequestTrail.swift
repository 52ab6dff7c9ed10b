#if Hummingbird
  internal import Breadcrumbs
  internal import Hummingbird
  internal import LogWords
  internal import Logging

  /// The crumbs of requests, of whichever context.
  final class RequestTrail: Sendable {
    private let recorder: BreadcrumbRecorder
    private let headers: Set<String>
    private let routes: RouteNames
    private let ids = RequestIDs()
    private let redact: (@Sendable (_ name: String, _ value: String) -> String?)?

    init(
      recorder: BreadcrumbRecorder, headers: [String],
      redact: (@Sendable (_ name: String, _ value: String) -> String?)?
    ) {
      self.recorder = recorder
      routes = RouteNames(idsBeginWith: ids.start)
      self.headers = Set(headers.map { $0.lowercased() })
      self.redact = redact
    }

    /// A request that is being answered.
    struct Begun {
      let crumbs: CrumbContext
      let time: UInt64
    }

    /// Leaves the crumb of a request that begins.
    func begin(_ request: Request, to template: String?, with logger: Logger) -> Begun {
      let crumbs = ids.crumbs(of: logger, on: routes.crumbs(request.method.rawValue, template))
      return Begun(crumbs: crumbs, time: leaveBegin(of: request, crumbs))
    }

    /// Leaves the crumb of one that was answered.
    func end(_ begun: Begun, status: Int) {
      recorder.end(
        LogMessage.requestEnds, category: LogCategory.request, in: begun.crumbs, since: begun.time,
        "status", Int64(status))
    }

    /// Leaves the crumb of one that ended by an error.
    func end(_ begun: Begun, by error: any Error) {
      if let status = (error as? any HTTPResponseError)?.status.code {
        return end(begun, status: status)
      }
      CrumbContext.$here.withValue(begun.crumbs) {
        // Its text may have what nobody is to read.
        recorder.record(
          "\(LogMessage.requestEnds)", category: LogCategory.request,
          data: [
            "status": 500, LogKey.nanoseconds: .integer(recorder.nanoseconds(since: begun.time)),
            "error": .string("\(type(of: error))"),
          ])
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
  }
#endif
