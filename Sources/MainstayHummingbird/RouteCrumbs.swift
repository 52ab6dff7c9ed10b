#if Hummingbird
  internal import Breadcrumbs
  internal import LogWords
  internal import Logging
  internal import Synchronization

  /// What crumbs say of a route, encoded once.
  final class RouteCrumbs: Sendable {
    private let named: CrumbContext
    /// With an id whose last sixteen bytes are yet to be written; nil where ids are no numbers, or leave no room.
    let numbered: LastingContext?

    /// - Parameter isKept: There is one of it for ever.
    init(_ name: String, isKept: Bool) {
      named = CrumbContext(only: [(LogKey.request, .string(name))])
      numbered =
        isKept
        ? RequestIDs.start.flatMap { start in
          LastingContext([
            (LogKey.request, .string(name)),
            (LogKey.requestID, .string(start + String(repeating: "0", count: RequestIDs.digits))),
          ])
        } : nil
    }

    /// What all crumbs of a request have: the id that its logger has; a number of our own where that keeps none.
    func crumbs(of logger: Logger) -> CrumbContext {
      guard let value = logger[metadataKey: RequestIDs.key] else {
        return crumbs(id: "\(requestsWithoutID.add(1, ordering: .relaxed).newValue)")
      }
      if let numbered, let number = RequestIDs.number(value) {
        return CrumbContext(adding: numbered, endingIn: RequestIDs.text(of: number))
      }
      return crumbs(id: value.description)
    }

    private func crumbs(id: String) -> CrumbContext {
      var id = id
      return id.withUTF8 {
        CrumbContext(adding: named, LogKey.requestID, UnsafeRawBufferPointer($0))
      }
    }
  }

  private let requestsWithoutID = Atomic<UInt64>(0)
#endif
