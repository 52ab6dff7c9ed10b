import IncidentModel

/// The waits in a picture of a process, as a graph.
struct WaitGraph {
  /// A party, which waits, or a resource, which a party holds.
  enum Node: Hashable {
    case task(UInt64)
    case thread(Int)
    case actor(UInt64)
    case queue(UInt64)
    case lock(UInt64)

    var isParty: Bool {
      switch self {
      case .task, .thread: true
      case .actor, .queue, .lock: false
      }
    }
  }

  private struct Edge: Hashable {
    var from: Node
    var to: Node
  }

  private var next: [Node: [Node]] = [:]
  /// The nodes that wait for each node.
  private var before: [Node: [Node]] = [:]
  private var likely: Set<Edge> = []
  /// The threads that wait for a signal: any of their successors may signal them.
  private var signalled: Set<Node> = []
  /// The nodes that can never continue, because every node on which they depend waits in turn.
  private(set) var stuck: Set<Node> = []

  init(_ picture: TaskPicture) {
    for task in picture.tasks { add(task, picture) }
    for actor in picture.actors {
      add(.actor(actor.address), to: actor.holder.map { [.thread($0)] })
    }
    for queue in picture.queues + [picture.mainQueue].compactMap(\.self) {
      // A concurrent queue is free for others once all of its threads have left it.
      add(.queue(queue.address), to: queue.holders.map { .thread($0) })
    }
    for (lock, owner) in picture.locks { add(.lock(lock), to: [.thread(owner)]) }
    for thread in picture.threads { add(thread) }
    for (node, others) in next { for other in others { before[other, default: []].append(node) } }
    stuck = Set(next.keys).subtracting(ableToGoOn)
  }

  /// The nodes that can continue once their dependencies do. A node needs all of its dependencies;
  /// a thread that waits for a signal needs any one.
  private var ableToGoOn: Set<Node> {
    var missing = next.mapValues(\.count)
    for node in signalled where missing[node] != nil { missing[node] = 1 }
    var able = Set(before.keys.filter { next[$0] == nil })
    var open = Array(able)
    while let node = open.popLast() {
      for waiter in before[node] ?? [] {
        missing[waiter, default: 0] -= 1
        if missing[waiter] == 0, able.insert(waiter).inserted { open.append(waiter) }
      }
    }
    return able
  }

  private mutating func add(_ task: PictureTask, _ picture: TaskPicture) {
    switch task.state {
    case .running(let thread?): add(.task(task.id), to: [.thread(thread)])
    case .enqueued(.actor(let actor)): add(.task(task.id), to: [.actor(actor)])
    case .enqueued(.main):
      add(.task(task.id), to: picture.mainQueue.map { [.queue($0.address)] })
    case .waiting(.task(let other)): add(.task(task.id), to: [.task(other)])
    // A task group waits for all of its children.
    case .waiting(.group(let children)): add(.task(task.id), to: children.map { .task($0) })
    case .running(nil), .enqueued, .waiting, .finished, .notStarted, .unknown: break
    }
  }

  private mutating func add(_ thread: PictureThread) {
    let node = Node.thread(thread.kernelID)
    switch thread.wait {
    case .queue(let queue): add(node, to: [.queue(queue)])
    case .lock(let lock): add(node, to: [.lock(lock)])
    case .thread(let other): add(node, to: [.thread(other)])
    case .signal:
      let givers =
        thread.awaitedTasks.map { Node.task($0) } + thread.awaitedThreads.map { Node.thread($0) }
      add(node, to: givers)
      signalled.insert(node)
      likely.formUnion(givers.map { Edge(from: node, to: $0) })
    case .work, .time, .call, nil: break
    }
  }

  private mutating func add(_ node: Node, to others: [Node]?) {
    if let others, !others.isEmpty { next[node] = others }
  }

  /// True if every step of a cycle is certain. A wait for a signal is not, because an unknown party
  /// may signal.
  func isCertain(_ circle: [Node]) -> Bool {
    circle.indices.allSatisfy { place in
      !likely.contains(Edge(from: circle[place], to: circle[(place + 1) % circle.count]))
    }
  }

  /// The cycles of stuck nodes: each node waits for the next one, and the last for the first. Each
  /// cycle begins with its lowest-ranked party.
  var circles: [[Node]] {
    var done: Set<Node> = []
    var found: [[Node]] = []
    for start in stuck.sorted(by: Self.isBefore) where !done.contains(start) {
      // An iterative depth-first search: a chain of tasks may be as long as the number of tasks.
      var path: [(node: Node, edge: Int)] = [(start, 0)]
      var places: [Node: Int] = [start: 0]
      while let last = path.last {
        let others = (next[last.node] ?? []).filter(stuck.contains)
        guard last.edge < others.count else {
          done.insert(last.node)
          places[last.node] = nil
          path.removeLast()
          continue
        }
        path[path.count - 1].edge += 1
        let other = others[last.edge]
        if let place = places[other] {
          found.append(Self.normal(path[place...].map(\.node)))
        } else if !done.contains(other) {
          places[other] = path.count
          path.append((other, 0))
        }
      }
    }
    return found
  }

  private static func normal(_ circle: [Node]) -> [Node] {
    guard let first = circle.filter(\.isParty).min(by: isBefore),
      let place = circle.firstIndex(of: first)
    else { return circle }
    return Array(circle[place...] + circle[..<place])
  }

  private static func isBefore(_ one: Node, _ other: Node) -> Bool { one.rank < other.rank }

  /// Returns the tasks that wait for one of `nodes`, directly or transitively, without tasks in
  /// `nodes`.
  func tasks(waitingFor nodes: [Node]) -> [UInt64] {
    var seen = Set(nodes)
    var open = nodes
    var tasks: [UInt64] = []
    while let node = open.popLast() {
      for waiter in before[node] ?? [] where seen.insert(waiter).inserted {
        open.append(waiter)
        if case .task(let id) = waiter { tasks.append(id) }
      }
    }
    return tasks.sorted()
  }
}

extension WaitGraph.Node {
  /// The sort key: the kind of the node, then its id or address.
  fileprivate var rank: (Int, UInt64) {
    switch self {
    case .thread(let id): (0, UInt64(id))
    case .task(let id): (1, id)
    case .actor(let address): (2, address)
    case .queue(let address): (3, address)
    case .lock(let address): (4, address)
    }
  }
}
