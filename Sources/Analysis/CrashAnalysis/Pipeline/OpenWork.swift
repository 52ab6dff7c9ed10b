import IncidentModel
import CLogFormat

/// Unfinished work: a server's requests in flight, and the services of a group.
struct OpenWork {
  struct Request {
    let route: String
    let since: UInt64
  }
  struct Service {
    let name: String
    /// The type of the service; empty if unknown.
    var type = ""
    var askedToEnd: UInt64?
    var hasEnded = false
  }

  /// The requests in flight, by id.
  private(set) var requests: [String: Request] = [:]
  private(set) var services: [Service] = []
  /// The number of recorded requests, and of those of each route.
  private var begun = 0
  private var begunByRoute: [String: Int] = [:]
  /// The ids of the requests in which the runtime reported a lost continuation, by the function
  /// that lost it.
  private var losing: [String: Set<String>] = [:]
  /// The number of continuations that the runtime reported as lost, within requests or not.
  private(set) var losses = 0

  /// The maximum numbers of entries, which bound the memory for malformed logs.
  private static let mostRequests = 1 << 14, mostServices = 256, mostRoutes = 4, mostKept = 256
  /// The number of requests from which the share of a route means something.
  private static let fewRequests = 20

  static func isTold(by note: Event) -> Bool {
    note.categoryBytes.isEqual(to: MS_WORD_REQUEST)
      || note.categoryBytes.isEqual(to: MS_WORD_SERVICE)
  }

  mutating func observe(_ note: Event) {
    let message = note.messageBytes
    if let id = note.text(MS_KEY_REQUEST_ID) {
      if message.isEqual(to: MS_WORD_REQUEST_ENDS) {
        requests[id] = nil
      } else if message.isEqual(to: MS_WORD_REQUEST_BEGINS) {
        let route = note.text(MS_KEY_REQUEST) ?? ""
        count(route)
        if requests.count < Self.mostRequests {
          requests[id] = Request(route: route, since: note.monotonic)
        }
      }
    } else if let name = note.text(MS_KEY_SERVICE) {
      observe(service: name, note.text(MS_KEY_TYPE), message, at: note.monotonic)
    }
  }

  private mutating func count(_ route: String) {
    begun += 1
    if begunByRoute.count < Self.mostKept || begunByRoute[route] != nil {
      begunByRoute[route, default: 0] += 1
    }
  }

  private mutating func observe(
    service name: String, _ type: String?, _ message: UnsafeRawBufferPointer, at time: UInt64
  ) {
    let known = services.firstIndex { $0.name == name }
    guard let place = known ?? (services.count < Self.mostServices ? services.count : nil) else {
      return
    }
    if known == nil { services.append(Service(name: name)) }
    if message.isEqual(to: MS_WORD_SERVICE_BEGINS) {
      services[place] = Service(name: name, type: type ?? "")
    } else if message.isEqual(to: MS_WORD_SERVICE_ENDS) {
      services[place].hasEnded = true
    } else if services[place].askedToEnd == nil {
      services[place].askedToEnd = time
    }
  }

  /// Records that the runtime reported a lost continuation, and the request in which that happened,
  /// if any.
  mutating func observe(lossBy function: String, _ event: Event) {
    losses += 1
    guard let id = event.text(MS_KEY_REQUEST_ID), losing.count < Self.mostKept,
      losing[function]?.count ?? 0 < Self.mostRequests
    else { return }
    losing[function, default: []].insert(id)
  }

  /// Returns the unanswered requests in which `function` lost a continuation.
  func requests(losing function: String) -> [Request] {
    losing[function]?.compactMap { requests[$0] } ?? []
  }

  /// The requests in flight, limited to the number that a hang keeps.
  var firstRequests: [String: Request] {
    requests.count <= Self.mostKept
      ? requests
      : Dictionary(uniqueKeysWithValues: requests.prefix(Self.mostKept).map { ($0.key, $0.value) })
  }

  /// True if the crash's context consists of a request that is in flight, and nothing else.
  func isOfRequest(_ crash: Crash) -> Bool {
    let keys = Set(crash.crumbContext.map(\.key))
    let id = crash.crumbContext.first { $0.key == MS_KEY_REQUEST_ID }.map { "\($0.value)" }
    return keys.isSubset(of: [MS_KEY_REQUEST, MS_KEY_REQUEST_ID])
      && id.map { requests[$0] != nil } ?? false
  }

  /// The services that were asked to end and have not ended.
  var unended: [Service] { services.filter { $0.askedToEnd != nil && !$0.hasEnded } }

  /// The first request to end of a service of `unended`; nil if all services have ended.
  var askedToEnd: UInt64? { unended.compactMap(\.askedToEnd).min() }

  /// Evidence about the route of at least four of five recorded requests; nil without such a route.
  var prevailingRoute: Finding.Evidence? {
    guard begun >= Self.fewRequests,
      let (route, count) = begunByRoute.max(by: { $0.value < $1.value }),
      count * 5 >= begun * 4
    else { return nil }
    return Finding.Evidence(
      "\(count) of \(begun) recorded requests were \(route)")
  }

  /// Returns evidence about the requests in flight at a moment; nil if no request was in flight.
  ///
  /// - Parameter isNow: True if the process was alive at that moment.
  func requests(at moment: UInt64, isNow: Bool = false) -> Finding.Evidence? {
    guard !requests.isEmpty else { return nil }
    let count = requests.count == 1 ? "1 request" : "\(requests.count) requests"
    let verb = (requests.count == 1, isNow)
    let words =
      switch verb {
      case (true, true): "is in flight"
      case (false, true): "are in flight"
      case (true, false): "was in flight and never answered"
      case (false, false): "were in flight and never answered"
      }
    return Finding.Evidence(
      "\(count) \(words): \(Self.routes(Array(requests.values), at: moment))")
  }

  /// Returns evidence about the outcome of earlier requests in flight; nil if `earlier` is empty.
  func fates(of earlier: [String: Request], at moment: UInt64) -> Finding.Evidence? {
    guard !earlier.isEmpty else { return nil }
    let open = earlier.filter { requests[$0.key] != nil }.count
    let fate =
      switch (open, earlier.count) {
      case (0, 1): " and was answered later"
      case (0, _): " and all were answered later"
      case (earlier.count, _): " and never answered"
      default: "; \(open) of them \(open == 1 ? "was" : "were") never answered"
      }
    let count = earlier.count == 1 ? "1 request was" : "\(earlier.count) requests were"
    return Finding.Evidence(
      "\(count) in flight then\(fate): \(Self.routes(Array(earlier.values), at: moment))")
  }

  private static func routes(_ requests: [Request], at moment: UInt64) -> String {
    let routes = Dictionary(grouping: requests, by: \.route).map { route, all in
      (route: route, count: all.count, since: all.map(\.since).min() ?? moment)
    }.sorted { ($0.since, $0.route) < ($1.since, $1.route) }
    var words = routes.prefix(mostRoutes).map { route in
      let time = TimeSpan.text(nanoseconds: moment - min(moment, route.since))
      return route.count == 1
        ? "\(route.route) for \(time)" : "\(route.count) × \(route.route), the oldest for \(time)"
    }
    if routes.count > words.count { words.append("and \(routes.count - words.count) more routes") }
    return words.joined(separator: "; ")
  }

  /// Describes requests that were never answered: `3 × GET /price were never answered`; nil for
  /// none.
  ///
  /// - Parameter isNow: True if the process is alive and the requests still wait.
  static func effect(on requests: [Request], isNow: Bool) -> String? {
    guard let first = requests.first else { return nil }
    if requests.count == 1 {
      return first.route + (isNow ? " is not answered" : " was never answered")
    }
    let what =
      requests.allSatisfy { $0.route == first.route }
      ? "\(requests.count) × \(first.route)" : "\(requests.count) requests"
    return what + (isNow ? " are not answered" : " were never answered")
  }
}
