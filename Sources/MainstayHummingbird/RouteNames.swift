#if Hummingbird
  internal import Breadcrumbs
  internal import LogWords
  internal import Synchronization

  /// What crumbs say of routes, `GET /stock/:item`, made once for each.
  final class RouteNames: Sendable {
    private struct Words: Hashable {
      let method: String
      let template: String?
    }

    /// What ids begin with that are numbers.
    private let start: String?
    private let known = Mutex<[Words: RouteCrumbs]>([:])
    /// The same of routes that were seen before, for whoever comes with the very same words: no lock, and no word is read.
    nonisolated(unsafe) private let seen: UnsafeMutablePointer<Atomic<UnsafeRawPointer?>>

    /// A service has some hundreds; a template is never what somebody asked for.
    private static let most = 1 << 14
    private static let places = 1 << 10
    private static let steps = 4

    init(idsBeginWith start: String?) {
      self.start = start
      seen = .allocate(capacity: Self.places)
      for place in 0..<Self.places { (seen + place).initialize(to: Atomic(nil)) }
    }

    deinit {
      for place in 0..<Self.places {
        guard let route = seen[place].load(ordering: .acquiring) else { continue }
        Unmanaged<SeenRoute>.fromOpaque(route).release()
      }
      seen.deinitialize(count: Self.places)
      seen.deallocate()
    }

    /// What crumbs of a request say of its route, for `body`.
    @inline(__always)
    func withCrumbs<Result>(
      _ method: String, _ template: String?, _ body: (RouteCrumbs) -> Result
    ) -> Result {
      // A method may be any word where there is no route.
      guard let template else { return body(named(method, nil)) }
      let words = WordsInMemory(method, template)
      for step in 0..<Self.steps {
        let place = (words.place + step) % Self.places
        guard let object = seen[place].load(ordering: .acquiring) else {
          return body(see(words, method, template, at: place))
        }
        let route = Unmanaged<SeenRoute>.fromOpaque(object)
        if let result = route._withUnsafeGuaranteedRef({
          $0.words == words ? body($0.crumbs) : nil
        }) {
          return result
        }
      }
      return body(named(method, template))
    }

    @inline(never)
    private func see(
      _ words: WordsInMemory, _ method: String, _ template: String, at place: Int
    ) -> RouteCrumbs {
      let route = SeenRoute(words, method, template, named(method, template))
      let object = Unmanaged.passRetained(route)
      let (isFirst, _) = seen[place].compareExchange(
        expected: nil, desired: UnsafeRawPointer(object.toOpaque()),
        ordering: .acquiringAndReleasing)
      if !isFirst { object.release() }
      return route.crumbs
    }

    @inline(never)
    private func named(_ method: String, _ template: String?) -> RouteCrumbs {
      known.withLock { known in
        let words = Words(method: method, template: template)
        if let crumbs = known[words] { return crumbs }
        let name = "\(method) \(template.map(asWritten) ?? "(no route)")"
        let crumbs = RouteCrumbs(name, idsBeginWith: start)
        if known.count < Self.most { known[words] = crumbs }
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
