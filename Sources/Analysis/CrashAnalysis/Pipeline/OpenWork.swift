import IncidentModel
import CLogFormat

/// What had begun and not ended: a server's requests, and the services of a group.
struct OpenWork {
  private struct Request {
    let route: String
    let since: UInt64
  }
  struct Service {
    let name: String
    /// Its type; empty where that is not known.
    var type = ""
    var askedToEnd: UInt64?
    var hasEnded = false
  }

  private var requests: [String: Request] = [:]
  private(set) var services: [Service] = []

  /// A log may be anything.
  private static let mostRequests = 1 << 14, mostServices = 256, mostRoutes = 4

  static func isTold(by note: Event) -> Bool {
    note.categoryBytes.isEqual(to: MS_WORD_REQUEST)
      || note.categoryBytes.isEqual(to: MS_WORD_SERVICE)
  }

  mutating func observe(_ note: Event) {
    let message = note.messageBytes
    if let id = note.text(MS_KEY_REQUEST_ID) {
      if message.isEqual(to: MS_WORD_REQUEST_ENDS) {
        requests[id] = nil
      } else if message.isEqual(to: MS_WORD_REQUEST_BEGINS), requests.count < Self.mostRequests {
        requests[id] = Request(route: note.text(MS_KEY_REQUEST) ?? "", since: note.monotonic)
      }
    } else if let name = note.text(MS_KEY_SERVICE) {
      observe(service: name, note.text(MS_KEY_TYPE), message, at: note.monotonic)
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

  /// The requests in flight at a moment, in a sentence; nil where there were none.
  func requests(at moment: UInt64) -> Finding.Evidence? {
    guard !requests.isEmpty else { return nil }
    let routes = Dictionary(grouping: requests.values, by: \.route).map { route, all in
      (route: route, count: all.count, since: all.map(\.since).min() ?? moment)
    }.sorted { ($0.since, $0.route) < ($1.since, $1.route) }
    var words = routes.prefix(Self.mostRoutes).map { route in
      let time = TimeSpan.text(nanoseconds: moment - min(moment, route.since))
      return route.count == 1
        ? "\(route.route) for \(time)" : "\(route.count) of \(route.route), the oldest for \(time)"
    }
    if routes.count > words.count { words.append("and \(routes.count - words.count) routes more") }
    let count = requests.count == 1 ? "1 request was" : "\(requests.count) requests were"
    return Finding.Evidence("\(count) in flight: " + words.joined(separator: "; "))
  }
}
