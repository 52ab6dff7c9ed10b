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
    let isAsleep: Bool
    /// True if the task sleeps or waits for the next element of a sequence, as timers and loops do.
    let isIdle: Bool

    /// True if the task is runnable, but no thread has run it.
    var waitsForThread: Bool { wait.kind == .turn && wait.executor == 0 }

    /// True if the task does not wait for another task, which would be the cause instead.
    var isFirst: Bool { wait.kind == .continuation || wait.kind == .turn }
  }

  /// The services that were asked to end and had not ended.
  let services: [OpenWork.Service]
  /// The tasks of `services` that do not wait for another task; without such tasks, the tasks
  /// outside of all services that are not idle.
  let waiters: [Waiter]

  init(in run: RunState) {
    services = run.openWork.unended
    guard run.waits.during == "shutdown" else {
      waiters = []
      return
    }
    let all = run.waits.places.compactMap { wait in
      Self.waiter(
        wait, run.read(run.frames(of: wait.stack, when: run.waits.monotonic)), run)
    }
    let unended = Set(services.map(\.name))
    let theirs = all.filter { waiter in waiter.service.map { unended.contains($0.name) } == true }
    let others = all.filter { $0.service == nil && !$0.isIdle }
    waiters = [theirs, others].map { $0.filter(\.isFirst) }.first { !$0.isEmpty } ?? theirs
  }

  private static func waiter(
    _ wait: WaitingTasks.Place, _ reading: StackReading, _ run: RunState
  ) -> Waiter? {
    guard let own = reading.awaiting.first else { return nil }
    let service = run.openWork.services.first { service in
      reading.awaiting.contains { $0.placesOutwards.contains { $0.isIn(type: service.type) } }
    }
    return Waiter(
      wait: wait, place: SourceLine.added(to: own.frame.place), service: service,
      isAsleep: reading.isAsleep && wait.kind != .turn, isIdle: reading.isIdle)
  }

  /// The task that held the shutdown; nil if ambiguous.
  var holder: Waiter? {
    waiters.first { $0.service != nil } ?? (waiters.count == 1 ? waiters[0] : nil)
  }

  /// The only service that had not ended, if no service of the waiting task is known.
  private var only: OpenWork.Service? { services.count == 1 ? services[0] : nil }

  /// A clause about the waiting task: `Service “mails” waited in Mails.flush() (Mails.swift:12)`.
  var words: String? {
    guard let holder else { return nil }
    let name = DisplayText.name(holder.place)
    if let service = holder.service { return "Service “\(service.name)” waited in \(name)" }
    let wait = "\(DisplayText.capitalized(name)) waited \(holder.wait.what)"
    return only.map { "\(wait), and service “\($0.name)” did not end" } ?? wait
  }

  /// True if the only task that held the shutdown waits for the only lost continuation: a lost
  /// continuation never resumes its task.
  func isOfOnlyLoss(in run: RunState) -> Bool {
    guard let holder, waiters.count == 1, holder.wait.kind == .continuation else { return false }
    return run.openWork.losses > 0 && holder.wait.tasks == run.openWork.losses
  }

  var fix: Finding.Fix? {
    guard let holder else { return nil }
    let name = DisplayText.name(holder.place)
    if holder.isAsleep {
      return Finding.Fix(
        "Cancel \(name) when the shutdown begins, or limit the time that the shutdown waits for this task."
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
        "service “\(service.name)” was asked to end \(time) earlier, and had not ended")
    } + waiters.prefix(3).map { Finding.Evidence($0.wait.story, place: $0.place) }
      + (holder.map(Self.resumes) ?? [])
  }

  /// Returns the lines of the source that could have ended the wait for a continuation.
  private static func resumes(_ waiter: Waiter) -> [Finding.Evidence] {
    let written = FunctionName(waiter.place.function).written
    let function = written.split(separator: ".").last.map(String.init) ?? written
    guard waiter.wait.kind == .continuation,
      let source = ContinuationSource(of: function, near: [waiter.place])
    else { return [] }
    let isOnly = source.resumes.count == 1
    return source.resumes.prefix(2).map { place in
      Finding.Evidence(
        isOnly
          ? "only this line of the file resumes such a continuation, and it did not resume this one"
          : "this line resumes such a continuation, and did not resume this one", place: place)
    }
  }
}
