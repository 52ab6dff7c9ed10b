#if Hummingbird
  internal import Breadcrumbs
  internal import LogWords
  internal import Synchronization

  /// What crumbs say of routes, `GET /stock/:item`, made once for each and kept for ever: a task may go on after the server
  /// has gone.
  final class RouteNames: Sendable {
    static let all = RouteNames()

    private struct Words: Hashable {
      let method: String
      let template: String?
    }

    private let known = Mutex<[Words: RouteCrumbs]>([:])
    /// The same of routes that were seen before, for whoever comes with the very same words: no lock, and no word is read.
    nonisolated(unsafe) private let seen: UnsafeMutablePointer<Atomic<UnsafeRawPointer?>>

    /// A service has some hundreds; a template is never what somebody asked for.
    private static let most = 1 << 14
    private static let places = 1 << 10
    private static let steps = 4

    private init() {
      seen = .allocate(capacity: Self.places)
      for place in 0..<Self.places { (seen + place).initialize(to: Atomic(nil)) }
    }

    /// Shows `body` what crumbs say of a route that was seen; nil where it was not.
    @inline(__always)
    func ifSeen<Result>(
      _ method: String, _ template: TextInMemory, _ body: (RouteCrumbs) -> Result?
    ) -> Result? {
      let words = SeenRoute.Words(method, template)
      for step in 0..<Self.steps {
        let place = (words.place + step) % Self.places
        guard let object = seen[place].load(ordering: .acquiring) else { return nil }
        let route = Unmanaged<SeenRoute>.fromOpaque(object)
        let result: Result?? = route._withUnsafeGuaranteedRef {
          $0.words == words ? .some(body($0.crumbs)) : nil
        }
        if let result { return result }
      }
      return nil
    }

    /// What crumbs say of a route, which is seen from then on; the method may be any word where there is none.
    func crumbs(_ method: String, _ template: String?) -> RouteCrumbs {
      let crumbs = named(method, template)
      if let template { see(method, template, crumbs) }
      return crumbs
    }

    private func see(_ method: String, _ template: String, _ crumbs: RouteCrumbs) {
      let words = SeenRoute.Words(method, TextInMemory(template))
      let places = (0..<Self.steps).map { (words.place + $0) % Self.places }
      guard let free = places.first(where: { seen[$0].load(ordering: .relaxed) == nil }) else {
        return
      }
      // Where another thread comes first, the next request of this route finds another place.
      let object = Unmanaged.passRetained(SeenRoute(words, method, template, crumbs))
      let (isDone, _) = seen[free].compareExchange(
        expected: nil, desired: UnsafeRawPointer(object.toOpaque()), ordering: .releasing)
      if !isDone { object.release() }
    }

    private func named(_ method: String, _ template: String?) -> RouteCrumbs {
      known.withLock { known in
        let words = Words(method: method, template: template)
        if let crumbs = known[words] { return crumbs }
        let name = "\(method) \(template.map(asWritten) ?? "(no route)")"
        let isKept = known.count < Self.most
        let crumbs = RouteCrumbs(name, isKept: isKept)
        if isKept { known[words] = crumbs }
        return crumbs
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
