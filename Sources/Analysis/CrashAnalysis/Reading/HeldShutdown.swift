import IncidentModel

/// The reason why the process did not exit after the request: the services that had not ended, and
/// the tasks that still waited seconds later.
struct HeldShutdown {
  /// A waiting task of the program.
  struct Waiter {
    let wait: WaitingTasks.Place
    /// The waiting place in the program's own code.
    let place: CodePlace
    /// The service of the task; nil if unknown.
    let service: OpenWork.Service?
    /// The program's async callers of `place`, nearest first.
    let callers: [CodePlace]
    /// The goal of the wait, judging by the frames.
    let goal: Goal
    let isAsleep: Bool
    /// True if the task sleeps or waits for the next element of a sequence, as timers and loops do.
    let isIdle: Bool

    /// True if the task is runnable, but no thread has run it.
    var waitsForThread: Bool { wait.kind == .turn && wait.executor == 0 }

    /// A phrase for the resource that the task waits for.
    var what: String {
      switch goal {
      case .future: "for a future of an event loop"
      case .element: "for the next element of a stream"
      case .other: wait.what
      }
    }

    /// The function that the task has entered twice; nil if it has not.
    var reentered: (function: CodePlace, inner: CodePlace)? {
      for (index, place) in callers.enumerated().dropLast()
      where !FunctionName(place.function).isClosure
        && callers[(index + 1)...].contains(where: { $0.function == place.function })
      {
        return (place, callers[index + 1])
      }
      return nil
    }

    /// True if the task does not wait for another task, which would be the cause instead.
    var isFirst: Bool { wait.kind == .continuation || wait.kind == .turn }
  }

  enum Goal { case future, element, other }

  /// The requests that had been in flight for long when the shutdown began, if as many tasks held
  /// it.
  let requests: [OpenWork.Request]
  /// The services that were asked to end and had not ended.
  let services: [OpenWork.Service]
  /// The tasks of `services` that do not wait for another task; without such tasks, the tasks
  /// outside of all services that are not idle.
  let waiters: [Waiter]

  /// True if the process is alive, so that the tasks still wait.
  private let isNow: Bool

  init(in run: EndedRun) {
    isNow = run.isRunning
    services = run.openWork.unended
    guard run.waits.during == "shutdown" else {
      (waiters, requests) = ([], [])
      return
    }
    let all = run.waits.places.compactMap { wait in
      Self.waiter(wait, run.frames(of: wait.stack, when: run.waits.monotonic), run)
    }
    let unended = Set(services.map(\.name))
    let theirs = all.filter { waiter in waiter.service.map { unended.contains($0.name) } == true }
    let others = all.filter { $0.service == nil && !$0.isIdle }
    waiters = [theirs, others].map { $0.filter(\.isFirst) }.first { !$0.isEmpty } ?? theirs
    // A picture may have been taken at any time after the request to end.
    let listed =
      run.picture == nil
      ? run.waits.monotonic : (run.askedToEnd ?? 0) &+ run.options.thresholds.slowShutdown
    let old = run.openWork.requests.values.filter { $0.since &+ Self.long < listed }
    let tasks =
      waiters.allSatisfy { $0.service == nil } ? waiters.reduce(0) { $0 + $1.wait.tasks } : 0
    requests = old.count == tasks ? Array(old) : []
  }

  /// The age of a request when the tasks are listed, 5 s after the shutdown began, from which the
  /// shutdown is not what keeps the request: 15 s.
  private static let long: UInt64 = 15_000_000_000

  private static func waiter(
    _ wait: WaitingTasks.Place, _ frames: [Frame], _ run: RunState
  ) -> Waiter? {
    let reading = run.read(frames)
    guard let own = reading.awaiting.first else { return nil }
    let service = run.openWork.services.first { service in
      reading.awaiting.contains { $0.placesOutwards.contains { $0.isIn(type: service.type) } }
    }
    return Waiter(
      wait: wait, place: SourceLine.added(to: own.frame.place), service: service,
      callers: reading.awaiting.dropFirst().map(\.frame.place), goal: goal(of: frames, reading),
      isAsleep: reading.isAsleep && wait.kind != .turn, isIdle: reading.isIdle)
  }

  private static func goal(of frames: [Frame], _ reading: StackReading) -> Goal {
    if reading.awaitsElement { return .element }
    let outer = frames.prefix { $0.role != .code }.map(\.place.function)
    return outer.contains { $0.contains("EventLoopFuture.get(") } ? .future : .other
  }

  /// The task that held the shutdown, or one of several that held it at one place; nil if ambiguous.
  var holder: Waiter? {
    let isOnePlace = Set(waiters.map { "\($0.place.function) \($0.place.line ?? 0)" }).count == 1
    return waiters.first { $0.service != nil } ?? (isOnePlace ? waiters[0] : nil)
  }

  /// The only service that had not ended, if no service of the waiting task is known.
  private var only: OpenWork.Service? { services.count == 1 ? services[0] : nil }

  /// A clause about the waiting task: `Service “mails” waited in Mails.flush() (Mails.swift:12)`.
  var words: String? {
    guard let holder else { return only.map { "Service “\($0.name)” did not end" } }
    let name = DisplayText.name(holder.place)
    let verb = isNow ? "waits" : "waited"
    if let service = holder.service { return "Service “\(service.name)” \(verb) in \(name)" }
    let tasks = waiters.reduce(0) { $0 + $1.wait.tasks }
    let wait =
      tasks == 1
      ? "\(DisplayText.capitalized(name)) \(verb) \(holder.what)"
      : "\(tasks) tasks \(isNow ? "wait" : "waited") \(holder.what) in \(name)"
    if let unanswered {
      return "\(unanswered): " + (tasks == 1 ? "\(name) \(verb) \(holder.what)" : wait)
    }
    let rest = isNow ? "has not ended" : "did not end"
    return only.map { "\(wait), and service “\($0.name)” \(rest)" } ?? wait
  }

  /// A clause about the requests: `POST /orders was never answered`.
  private var unanswered: String? {
    guard let request = requests.first, !request.route.isEmpty else { return nil }
    return OpenWork.effect(on: requests, isNow: isNow)
  }

  /// True if the only task that held the shutdown waits for the only lost continuation: a lost
  /// continuation never resumes its task.
  func isOfOnlyLoss(in run: RunState) -> Bool {
    guard let holder, waiters.count == 1, holder.wait.kind == .continuation else { return false }
    return run.openWork.losses > 0 && holder.wait.tasks == run.openWork.losses
  }

  var fix: Finding.Fix? {
    guard let holder else {
      return only.map {
        Finding.Fix(
          "Find what kept service “\($0.name)” from ending when it was asked to: a task, a wait, a loop."
        )
      }
    }
    let name = DisplayText.name(holder.place)
    if holder.isAsleep {
      return Finding.Fix(
        "Cancel \(name) when the shutdown begins, or limit the time that the shutdown waits for this task."
      )
    }
    if let entered = reentered {
      let function = DisplayText.name(entered.function)
      return Finding.Fix(
        "Do not enter \(function) within itself, which \(DisplayText.name(entered.inner)) does: pass on the value that the outer call has. "
          + "Each task may keep a resource for which the others wait."
      )
    }
    if !requests.isEmpty {
      let end = holder.goal == .future ? "Complete the promise behind" : "End the wait in"
      return Finding.Fix(
        "\(end) \(name) on every path, also for errors and unexpected input, or limit the wait.")
    }
    if let service = holder.service, holder.goal == .element {
      return Finding.Fix(
        "Finish the stream that \(name) reads when service “\(service.name)” is asked to end: call finish() on its continuation."
      )
    }
    if holder.goal == .other, let line = resumingLines(holder).first, line != holder.place {
      return Finding.Fix(
        "Let each way that leads to \(name) also lead to \(DisplayText.name(line)), which ends the wait: look for an error or an early return that leaves it out."
      )
    }
    if let service = holder.service {
      return Finding.Fix(
        "Service “\(service.name)” must continue when the shutdown begins: complete or cancel its wait in \(name)."
      )
    }
    let aim = only.map { ", so that service “\($0.name)” can end" } ?? ""
    return Finding.Fix(
      "The task must continue when the shutdown begins: complete or cancel its wait in \(name)\(aim)."
    )
  }

  /// Returns evidence about services and tasks, with times relative to the end.
  func evidence(at end: UInt64) -> [Finding.Evidence] {
    services.map { service in
      let since = service.askedToEnd ?? end
      let time = TimeSpan.text(nanoseconds: end - min(end, since))
      return Finding.Evidence(
        "service “\(service.name)” was asked to end \(time) \(isNow ? "ago, and has" : "earlier, and had") not ended"
      )
    } + waiters.prefix(3).map { told($0) } + (holder.map { resumes($0) } ?? [])
  }

  /// A function that a waiting task has entered twice, of several tasks that wait at one place: its
  /// inner call may wait for a resource that the outer calls hold.
  private var reentered: (function: CodePlace, inner: CodePlace)? {
    let tasks = waiters.reduce(0) { $0 + $1.wait.tasks }
    return holder == nil || tasks < 2 ? nil : waiters.lazy.compactMap(\.reentered).first
  }

  private func told(_ waiter: Waiter) -> Finding.Evidence {
    let isOne = waiter.wait.tasks == 1
    let verb = isNow ? (isOne ? "waits" : "wait") : "waited"
    let tasks = isOne ? "a task" : "\(waiter.wait.tasks) tasks"
    var names: [String] = []
    for caller in waiter.callers where names.count < 4 && caller.line != nil {
      let name = DisplayText.name(caller)
      if !names.contains(name) { names.append(name) }
    }
    let path = names.isEmpty ? "" : ", called by \(names.joined(separator: ", by "))"
    return Finding.Evidence("\(tasks) \(verb) \(waiter.what)\(path)", place: waiter.place)
  }

  /// Returns the lines of the source that could have ended the wait for a continuation.
  private func resumes(_ waiter: Waiter) -> [Finding.Evidence] {
    let resumes = resumingLines(waiter)
    let isOnly = resumes.count == 1
    let verb = isNow ? "has not resumed" : "did not resume"
    return resumes.prefix(2).map { place in
      Finding.Evidence(
        isOnly
          ? "only this line of the file resumes such a continuation, and it \(verb) this one"
          : "this line resumes such a continuation, and \(verb) this one", place: place)
    }
  }

  /// Returns the lines of the source that may resume the continuation for which a task waits.
  private func resumingLines(_ waiter: Waiter) -> [CodePlace] {
    let written = FunctionName(waiter.place.function).written
    let function = written.split(separator: ".").last.map(String.init) ?? written
    guard waiter.wait.kind == .continuation,
      let source = ContinuationSource(of: function, near: [waiter.place])
    else { return [] }
    return source.resumes.filter { Self.mayResume($0, waiter.place) }
  }

  /// True if a line may resume the continuation of a waiting function: it is in the function, or in
  /// one that uses a variable in which the function may have stored the continuation.
  private static func mayResume(_ line: CodePlace, _ waiting: CodePlace) -> Bool {
    func function(at place: CodePlace) -> (block: SwiftText.Block, code: String)? {
      guard let path = place.file, let line = place.line,
        let text = SwiftFiles.shared.text(at: path), text.beginning(ofLine: line) != nil,
        let block = text.blocks(around: text.range(ofLine: line).upperBound - 1)
          .first(where: { $0.kind == .function })
      else { return nil }
      return (block, text.codeText(block.open..<block.close))
    }
    guard let own = function(at: waiting), let other = function(at: line) else { return true }
    if own.block.open == other.block.open { return true }
    let stored = own.code.matches(of: /(\w+)(?:\[[^\]]*\])?(?:\.append\(|\s*=)/).map { $0.1 }
    return !Set(stored).isDisjoint(with: other.code.words)
  }
}
