#if Hummingbird
  internal import Breadcrumbs
  internal import LogWords
  internal import Synchronization

  /// What crumbs say of routes, `GET /stock/:item`, made once for each and kept for ever: a task may go on after the server
  /// has gone.
  final class RouteNames: Sendable {
    static let all = RouteNames()

    private struct Name: Hashable {
      let method: String
      let template: String
    }

    private let known = Mutex<[Name: RouteCrumbs]>([:])
    /// The same of routes that were seen before, for whoever comes with the very same words: no lock, and no word is read.
    nonisolated(unsafe) private let seen: UnsafeMutablePointer<Atomic<UnsafeRawPointer?>>

    /// A service has some hundreds; a template is never what somebody asked for.
    private static let most = 1 << 14
    private static let longest = 1 << 10
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

    /// What crumbs say of a route, which is seen from then on. Where there is none, the method may be any word of a client's,
    /// and nothing is kept of it.
    func crumbs(_ method: String, _ template: String?) -> RouteCrumbs {
      guard let template else { return RouteCrumbs("\(method) (no route)", isKept: false) }
      return known.withLock { known in
        let crumbs = named(Name(method: method, template: template), in: &known)
        see(method, template, crumbs)
        return crumbs
      }
    }

    private func named(_ name: Name, in known: inout [Name: RouteCrumbs]) -> RouteCrumbs {
      if let crumbs = known[name] { return crumbs }
      let text = "\(name.method) \(asWritten(name.template))"
      let isKept = known.count < Self.most && text.utf8.count <= Self.longest
      let crumbs = RouteCrumbs(text, isKept: isKept)
      if isKept { known[name] = crumbs }
      return crumbs
    }

    /// One at a time.
    private func see(_ method: String, _ template: String, _ crumbs: RouteCrumbs) {
      let words = SeenRoute.Words(method, TextInMemory(template))
      guard ifSeen(method, words.template, { _ in true }) == nil else { return }
      let places = (0..<Self.steps).map { (words.place + $0) % Self.places }
      guard let free = places.first(where: { seen[$0].load(ordering: .relaxed) == nil }) else {
        return
      }
      let object = Unmanaged.passRetained(SeenRoute(words, method, template, crumbs))
      seen[free].store(UnsafeRawPointer(object.toOpaque()), ordering: .releasing)
    }

    /// `/stock/:item` for `/stock/{item}`: as it stands in the source.
    private func asWritten(_ template: String) -> String {
      template.split(separator: "/", omittingEmptySubsequences: false).map { part in
        part.hasPrefix("{") && part.hasSuffix("}") ? ":\(part.dropFirst().dropLast())" : part
      }.joined(separator: "/")
    }
  }
#endif
