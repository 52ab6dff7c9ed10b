#if Hummingbird
  internal import Synchronization

  /// The names of routes, each made once: `GET /stock/:item`.
  final class RouteNames: Sendable {
    private struct Route: Hashable {
      let method: String
      let template: String?
    }
    private let known = Mutex<[Route: String]>([:])

    /// A service has some hundreds; a template is never what somebody asked for.
    private static let most = 1 << 14

    func name(_ method: String, _ template: String?) -> String {
      let route = Route(method: method, template: template)
      return known.withLock { known in
        if let name = known[route] { return name }
        let name = "\(method) \(template.map(asWritten) ?? "(no route)")"
        // A method may be any word.
        if known.count < Self.most { known[route] = name }
        return name
      }
    }

    /// `/stock/:item` for `/stock/{item}`: as it stands in the source.
    private func asWritten(_ template: String) -> String {
      template.split(separator: "/", omittingEmptySubsequences: false).map { part in
        part.hasPrefix("{") && part.hasSuffix("}") ? ":\(part.dropFirst().dropLast())" : part
      }.joined(separator: "/")
    }
  }
#endif
