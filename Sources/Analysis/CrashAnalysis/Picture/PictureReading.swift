import IncidentModel

/// A picture of a process as the rules use it: the place of each task and thread, and the graph of
/// their waits.
final class PictureReading {
  let tasks: TaskPicture
  let graph: WaitGraph
  /// The wait cycles whose nodes can never continue.
  let circles: [[WaitGraph.Node]]
  private let threads: [Int: CrashThread]
  private let run: RunState
  private var readings: [Stack: StackReading] = [:]

  init?(in run: EndedRun) {
    guard let picture = run.source.picture, var tasks = picture.tasks else { return nil }
    self.run = run
    let silent = Set(tasks.threads.flatMap(\.awaitedTasks)).filter {
      tasks.task($0).map { Self.sendsNoSignal($0, run) } ?? false
    }
    for index in tasks.threads.indices {
      tasks.threads[index].awaitedTasks.removeAll(where: silent.contains)
    }
    self.tasks = tasks
    threads = Dictionary(picture.threads.map { ($0.kernelID, $0) }) { first, _ in first }
    graph = WaitGraph(tasks)
    circles = graph.circles
  }

  /// True for a task of a library that waits for tasks of the program: the task refers to their
  /// values, but sends no signal.
  private static func sendsNoSignal(_ task: PictureTask, _ run: EndedRun) -> Bool {
    switch task.state {
    case .waiting(.task), .waiting(.group):
      let reading = run.read(run.frames(of: task.stack, when: .max))
      return (reading.links + reading.awaiting).allSatisfy(\.frame.place.isGenerated)
    case .running, .enqueued, .waiting, .finished, .notStarted, .unknown: return false
    }
  }

  /// True if a node is in a cycle; the finding about the cycle describes the node.
  func isInCircle(_ node: WaitGraph.Node) -> Bool { circles.contains { $0.contains(node) } }

  // MARK: Places

  func reading(_ stack: Stack) -> StackReading {
    if let known = readings[stack] { return known }
    let reading = run.read(frames(of: stack))
    readings[stack] = reading
    return reading
  }

  func frames(of stack: Stack) -> [Frame] { run.frames(of: stack, when: .max) }

  /// Returns the place of a task in the program's own code.
  func place(of task: PictureTask) -> CodePlace? {
    if case .running(let thread?) = task.state, let place = place(ofThread: thread) { return place }
    let reading = reading(task.stack)
    return (reading.awaiting.first ?? reading.links.first).map {
      SourceLine.added(to: $0.frame.place)
    }
  }

  /// Returns the place of a thread in the program's own code.
  func place(ofThread id: Int) -> CodePlace? {
    guard let thread = threads[id] else { return nil }
    let reading = reading(thread.stack)
    return (reading.touched ?? reading.awaiting.first?.frame).map { SourceLine.added(to: $0.place) }
  }

  /// The program's own functions on the stack of a thread that runs a task and among the async callers, innermost first.
  func places(on stacks: [Stack]) -> [CodePlace] {
    stacks.flatMap { stack in
      let reading = reading(stack)
      return (reading.links + reading.awaiting).map(\.frame.place)
    }
  }

  func stack(ofThread id: Int) -> Stack? { threads[id]?.stack }

  func place(of node: WaitGraph.Node) -> CodePlace? {
    switch node {
    case .task(let id): tasks.task(id).flatMap(place(of:))
    case .thread(let id): place(ofThread: id)
    case .actor, .queue, .lock: nil
    }
  }

  // MARK: Names

  func threadName(_ id: Int) -> String {
    let name = threads[id]?.name ?? ""
    return DisplayText.thread(id, name)
  }

  func threadHasName(_ id: Int, endingIn ending: String) -> Bool {
    threads[id]?.name.hasSuffix(ending) == true
  }

  func threadFacts(_ id: Int) -> Finding.ThreadName {
    Finding.ThreadName(id: id, index: IncidentThread.unknown, name: threads[id]?.name ?? "")
  }

  func taskName(_ id: UInt64) -> String {
    "task \(id)" + (tasks.task(id)?.name.map { " “\($0)”" } ?? "")
  }

  func actorName(_ address: UInt64) -> String {
    let type = tasks.actor(address)?.type ?? ""
    return type.isEmpty ? "an actor" : "actor \(type)"
  }

  func name(of node: WaitGraph.Node) -> String {
    switch node {
    case .task(let id): taskName(id)
    case .thread(let id): threadName(id)
    case .actor(let address): actorName(address)
    case .queue(let address): DisplayText.queue(tasks.queue(address)?.label ?? "")
    case .lock: "a lock"
    }
  }

  /// Names one task, or counts several: `task 7`, `3 tasks`.
  func count(_ ids: [UInt64]) -> String {
    ids.count == 1 ? taskName(ids[0]) : "\(ids.count) tasks"
  }

  /// Returns evidence about the other tasks that wait for these nodes; nil if no task waits.
  func waiters(for nodes: [WaitGraph.Node]) -> Finding.Evidence? {
    let waiting = graph.tasks(waitingFor: nodes)
    guard let first = waiting.first else { return nil }
    let verb = waiting.count == 1 ? "waits" : "wait"
    return Finding.Evidence(
      "as a result, \(count(waiting)) \(verb) too",
      place: tasks.task(first).flatMap(place(of:)))
  }

  // MARK: Cycles

  /// Returns the steps of a cycle, one for each task or thread: the resource that it holds, and its
  /// wait.
  ///
  /// - Parameter withCallers: True to let the functions that led a thread there precede its step.
  func steps(of circle: [WaitGraph.Node], withCallers: Bool = false) -> [Finding.Step] {
    circle.indices.flatMap { index -> [Finding.Step] in
      let party = circle[index]
      guard party.isParty else { return [] }
      let previous = circle[(index + circle.count - 1) % circle.count]
      let next = circle[(index + 1) % circle.count]
      // A running task and its thread are one step.
      if case .task = party, case .thread = next { return [] }
      let held = previous.isParty ? "" : "holds \(name(of: previous)) and "
      return (withCallers ? callers(of: party) : []) + [
        Finding.Step(
          "\(held)\(waits(party, for: next))", thread: name(of: party), queue: nil,
          place: place(of: party))
      ]
    }
  }

  /// Returns the nearest callers of the place where a thread waits as steps, outermost first.
  private func callers(of party: WaitGraph.Node) -> [Finding.Step] {
    guard case .thread(let id) = party, let stack = stack(ofThread: id) else { return [] }
    return reading(stack).links.dropFirst().prefix(2).reversed().map { link in
      Finding.Step(
        "ran", thread: threadName(id), queue: nil, place: SourceLine.added(to: link.frame.place))
    }
  }

  /// Returns the place of the first thread of a cycle that waits for a signal; nil if no thread does.
  func signalWait(in circle: [WaitGraph.Node]) -> CodePlace? {
    circle.lazy.compactMap { [self] node in
      if case .thread(let id) = node, waitsForSignal(id) { place(ofThread: id) } else { nil }
    }.first
  }

  private func waitsForSignal(_ thread: Int) -> Bool {
    if case .signal = tasks.thread(thread)?.wait { true } else { false }
  }

  private func waits(_ party: WaitGraph.Node, for next: WaitGraph.Node) -> String {
    switch (party, next) {
    case (.task, .actor), (.task, .queue): "waits for its turn on \(name(of: next))"
    case (.thread(let id), .task), (.thread(let id), .thread):
      if waitsForSignal(id) {
        "blocks until \(name(of: next)) sends the signal"
      } else {
        "waits for the end of \(name(of: next))"
      }
    case (.task, .task): "waits for the result of \(name(of: next))"
    case (_, .lock(let lock)):
      tasks.locks[lock].map { "waits for a lock that \(threadName($0)) holds" }
        ?? "waits for a lock"
    default: "waits for \(name(of: next))"
    }
  }

  /// Returns evidence of how certain a cycle is.
  func certainty(of circle: [WaitGraph.Node]) -> Finding.Evidence {
    Finding.Evidence(
      graph.isCertain(circle)
        ? "each waits for the next, and the last waits for the first: none of them can continue"
        : "a thread waits for a signal, and every party that refers to the signal needs a resource that the thread holds"
    )
  }
}
