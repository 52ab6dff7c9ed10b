#if Hummingbird
  internal import Breadcrumbs
  internal import LogWords

  /// What crumbs say of a route, encoded once.
  final class RouteCrumbs: Sendable {
    private let named: CrumbContext
    /// With an id whose last sixteen bytes are yet to be written; nil where ids are no numbers, or leave no room.
    let numbered: CrumbContext?

    init(_ name: String, idsBeginWith start: String?) {
      named = CrumbContext(only: [(LogKey.request, .string(name))])
      numbered = start.flatMap { start in
        let id = start + String(repeating: "0", count: 16)
        let crumbs = CrumbContext(only: [
          (LogKey.request, .string(name)), (LogKey.requestID, .string(id)),
        ])
        return crumbs.values.last?.value == .string(id) ? crumbs : nil
      }
    }

    /// With an id of any kind.
    func crumbs(id: String) -> CrumbContext {
      var id = id
      return id.withUTF8 {
        CrumbContext(adding: named, LogKey.requestID, UnsafeRawBufferPointer($0))
      }
    }
  }
#endif
