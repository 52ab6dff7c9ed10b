import DeathRecords
import IncidentModel
import CLogFormat

/// The services that were asked to end and still run, and the tasks that waited at that time.
struct ShutdownState: Sendable {
  struct Service: Sendable {
    let name: String
    let type: String
    var askedToEnd: UInt64?
  }
  struct Wait: Sendable {
    let task: Int64
    let place: String
    let service: String?
  }

  private(set) var services: [Service] = []
  private var waits: [Wait] = []
  private static let most = 256

  /// The services that were asked to end and have not ended.
  var unended: [Service] { services.filter { $0.askedToEnd != nil } }

  /// The tasks that wait in a service of `unended`; without such tasks, the tasks that wait outside
  /// of all services.
  var holders: [Wait] {
    let theirs = waits.filter { wait in unended.contains { $0.name == wait.service } }
    return theirs.isEmpty ? waits.filter { $0.service == nil } : theirs
  }

  mutating func observe(service crumb: Crumb) {
    guard case .string(let name)? = crumb[MS_KEY_SERVICE] else { return }
    let place = services.firstIndex { $0.name == name }
    switch crumb.message {
    case MS_WORD_SERVICE_BEGINS:
      var type = ""
      if case .string(let text)? = crumb[MS_KEY_TYPE] { type = text }
      let service = Service(name: name, type: type)
      if let place {
        services[place] = service
      } else if services.count < Self.most {
        services.append(service)
      }
    case MS_WORD_SERVICE_ENDS: if let place { services.remove(at: place) }
    default:
      if let place, services[place].askedToEnd == nil {
        services[place].askedToEnd = crumb.monotonic
      }
    }
  }

  mutating func observe(waiting crumb: Crumb) {
    if crumb.message == MS_WORD_TASKS_WAIT { waits = [] }
    // A thread that stands waits for no event of a task, and a task that waits for other tasks is not the cause.
    guard let what = crumb[MS_KEY_FOR], ![.string("group"), .string("task")].contains(what),
      waits.count < Self.most, case .string(let place)? = crumb[MS_KEY_FUNCTION],
      case .integer(let task)? = crumb[MS_KEY_TASK]
    else { return }
    var service: String?
    if case .string(let name)? = crumb[MS_KEY_SERVICE] { service = name }
    waits.append(
      Wait(task: task, place: place, service: service))
  }
}
