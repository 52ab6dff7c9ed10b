import DeathRecords
import IncidentModel
import CLogFormat

/// The state of a running service from its crumbs, bounded for a run of any length.
package struct WatchState: Sendable {
  /// The state of the run.
  package enum Run: Sendable, Equatable {
    case waiting
    case running
    /// The end of the run, with a description, and whether the end was clean.
    case ended(verdict: String, isClean: Bool)
  }

  /// A thread or a queue, with its activity.
  struct Actor: Sendable {
    var id: UInt64
    var name: String
    /// The last counterpart: a thread's last queue, or a queue's last thread.
    var place = ""
    var isMain = false
    var last: UInt64 = 0
    var rate = RateMeter()
  }

  package var path: String
  package var run = Run.waiting
  package var process: Incident.Process?
  package var losses = Incident.Losses()
  package var hangingSince: UInt64?
  package var hanging: WatchedKind?
  /// The monotonic time of the last poll.
  package var now: UInt64 = 0

  private(set) var threads: [Int: Actor] = [:]
  private(set) var queues: [UInt64: Actor] = [:]
  private(set) var rate = RateMeter()
  private(set) var hops = HopHistogram()
  private(set) var crumbs = RecentList<Crumb>(capacity: 4000)
  private(set) var violations = RecentList<Crumb>(capacity: 500)
  private(set) var violationCount = 0
  private(set) var errorCount = 0
  private(set) var lastOnMain: UInt64?
  private(set) var phase: LifecyclePhase?
  private(set) var tasks: Set<Int64> = []
  /// The response times of watched executors in the last minute, by executor.
  private(set) var answers: [String: AnswerMinute] = [:]
  private(set) var shutdown = ShutdownState()
  private(set) var runs = 0
  private var second: UInt64 = 0

  private static let mostActors = 1024
  private static let mostAnswers = 64
  static let mainLabel = "com.apple.main-thread"

  package init(path: String) { self.path = path }

  /// Starts a run, and discards the state of the previous one.
  package mutating func begin(_ process: Incident.Process?) {
    let (path, runs, now) = (path, runs, now)
    self = WatchState(path: path)
    self.process = process
    self.runs = runs + 1
    self.now = now
    run = .running
  }

  /// Counts a crumb, without decoding it.
  package mutating func count(
    thread ordinal: Int, _ thread: IncidentThread?, queue: Queue?, isOnMain: Bool,
    monotonic: UInt64
  ) {
    rate.add()
    let name = thread?.name ?? ""
    threads[ordinal, default: Actor(id: UInt64(thread?.kernelID ?? 0), name: name)].see(
      at: monotonic, queue?.label ?? "", isOnMain)
    if let queue {
      queues[queue.serial, default: Actor(id: queue.serial, name: queue.label)].see(
        at: monotonic, name, isOnMain || queue.label == Self.mainLabel)
    }
    if threads.count > 4 * Self.mostActors {
      threads = Self.bounded(threads, by: Self.mostActors)
    }
    if queues.count > 4 * Self.mostActors { queues = Self.bounded(queues, by: Self.mostActors) }
    if isOnMain { lastOnMain = max(lastOnMain ?? 0, monotonic) }
  }

  /// Adds a decoded crumb.
  package mutating func add(_ crumb: Crumb) {
    crumbs.add(crumb)
    switch crumb.kind {
    case .violation:
      violations.add(crumb)
      violationCount += 1
    case .error: errorCount += 1
    case .lifecycle: phase = LifecyclePhase(beginningWith: crumb.message) ?? phase
    case .backgroundTask: observeTask(crumb)
    case .note where crumb.category == MS_WORD_LATENCY: observeAnswers(crumb)
    case .note where crumb.category == MS_WORD_SERVICE:
      shutdown.observe(service: crumb)
    case .note where crumb.category == MS_WORD_WAITING:
      shutdown.observe(waiting: crumb)
    default: break
    }
  }

  /// Returns the name of the service whose type matches; nil if none matches.
  package func service(where isIts: (_ type: String) -> Bool) -> String? {
    shutdown.services.first { isIts($0.type) }?.name
  }

  private mutating func observeAnswers(_ crumb: Crumb) {
    guard let minute = AnswerMinute(wall: crumb.wall, { crumb[$0] }),
      case .string(let word)? = crumb[MS_KEY_EXECUTOR], let kind = WatchedKind(word)
    else { return }
    var name = word
    if kind != .mainQueue, case .string(let its)? = crumb[MS_KEY_NAME] { name += " " + its }
    if answers.count < Self.mostAnswers || answers[name] != nil { answers[name] = minute }
  }

  /// Adds the latency of a hop.
  package mutating func addHop(nanoseconds: UInt64) { hops.add(nanoseconds: nanoseconds) }

  /// Sets the time; called after each poll.
  package mutating func turn(to now: UInt64) {
    self.now = now
    guard now >= second + 1_000_000_000 else { return }
    second = now
    rate.turn()
    hops.turn()
    threads = Self.turned(threads)
    queues = Self.turned(queues)
  }

  private static func turned<Key>(_ actors: [Key: Actor]) -> [Key: Actor] {
    bounded(
      actors.mapValues { actor in
        var actor = actor
        actor.rate.turn()
        return actor
      }, by: mostActors)
  }

  /// Returns the most recently active entries, half of the maximum number, if there are too many.
  private static func bounded<Key>(_ actors: [Key: Actor], by most: Int) -> [Key: Actor] {
    guard actors.count > most else { return actors }
    let limit = actors.values.map(\.last).sorted()[actors.count - mostActors / 2]
    return actors.filter { $0.value.last >= limit }
  }

  private mutating func observeTask(_ crumb: Crumb) {
    guard case .integer(let id)? = crumb[MS_KEY_TASK], case .string(let step)? = crumb[MS_KEY_STEP]
    else { return }
    switch TaskStep(step) {
    case .begin: if tasks.count < Self.mostActors { tasks.insert(id) }
    case .end: tasks.remove(id)
    case .expired, nil: break
    }
  }
}

extension WatchState.Actor {
  fileprivate mutating func see(at monotonic: UInt64, _ place: String, _ isOnMain: Bool) {
    last = max(last, monotonic)
    if self.place != place { self.place = place }
    isMain = isOnMain
    rate.add()
  }
}

/// The number of events per second in the last minute.
struct RateMeter: Sendable {
  /// The counts of the last whole seconds, newest last.
  private(set) var seconds: [Int] = []
  private(set) var total = 0
  private var current = 0

  private static let most = 60

  /// The count of the last whole second.
  var perSecond: Int { seconds.last ?? current }

  mutating func add(_ count: Int = 1) {
    current += count
    total += count
  }

  /// Completes the current second.
  mutating func turn() {
    seconds.append(current)
    current = 0
    if seconds.count > Self.most { seconds.removeFirst() }
  }
}

/// The newest elements, up to a maximum number.
struct RecentList<Element> {
  private var elements: [Element] = []
  private var first = 0
  let capacity: Int

  init(capacity: Int) { self.capacity = capacity }

  var count: Int { elements.count }

  /// The element at `index`; index 0 is the oldest.
  subscript(index: Int) -> Element { elements[(first + index) % elements.count] }

  mutating func add(_ element: Element) {
    if elements.count < capacity {
      elements.append(element)
    } else {
      elements[first] = element
      first = (first + 1) % capacity
    }
  }
}

extension RecentList: Sendable where Element: Sendable {}
