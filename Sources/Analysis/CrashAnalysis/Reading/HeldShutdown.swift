import IncidentModel

/// The reason why the process did not end after the request: the services that had not ended and the tasks that
/// waited some seconds later.
struct HeldShutdown {
  /// A task of the program's own that waited.
  struct Waiter {
    let wait: WaitingTasks.Place
    /// Where, in the program's own code.
    let place: CodePlace
    /// The service of the task; nil if unknown.
    let service: OpenWork.Service?
    let isAsleep: Bool

    /// Whether it could run, and no thread takes it.
    var waitsForThread: Bool { wait.kind == .turn && wait.executor == 0 }

    /// Whether it waits for no other task, which would be the one to look at.
    var isFirst: Bool { wait.kind == .continuation || wait.kind == .turn }
  }

  /// The services that were asked to end and had not.
  let services: [OpenWork.Service]
  /// The tasks that waited in one of them, not for another task; otherwise those outside all services, not in a
  /// loop.
  let waiters: [Waiter]

  init(in run: RunState) {
    services = run.openWork.services.filter { $0.askedToEnd != nil && !$0.hasEnded }
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
    let others = all.filter { $0.service == nil && !$0.wait.isLoop }
    waiters = [theirs, others].map { $0.filter(\.isFirst) }.first { !$0.isEmpty } ?? theirs
  }

  private static func waiter(
    _ wait: WaitingTasks.Place, _ reading: StackReading, _ run: RunState
  ) -> Waiter? {
    guard let own = reading.awaiting.first else { return nil }
    let service = run.openWork.services.first { service in
      reading.awaiting.contains { $0.frame.place.isIn(type: service.type) }
    }
    return Waiter(
      wait: wait, place: SourceLine.added(to: own.frame.place), service: service,
      isAsleep: reading.isAsleep && wait.kind != .turn)
  }

  /// The one that held it, where that is clear.
  var holder: Waiter? {
    waiters.first { $0.service != nil } ?? (waiters.count == 1 ? waiters[0] : nil)
  }

  /// The waiting task at the beginning of a sentence: `Service “mails” waited in Mails.flush()
  /// (Mails.swift:12)`.
  var words: String? {
    guard let holder else { return nil }
    let name = DisplayText.name(holder.place)
    if let service = holder.service { return "Service “\(service.name)” waited in \(name)" }
    let time = TimeSpan.text(nanoseconds: holder.wait.oldest)
    return
      "\(DisplayText.capitalized(name)) \(holder.isAsleep ? "slept" : "waited \(holder.wait.what)") for \(time)"
  }

  /// Whether the one task that held it waits for the one continuation that was lost: a lost one keeps its task waiting.
  func isOfOnlyLoss(in run: RunState) -> Bool {
    guard let holder, waiters.count == 1, holder.wait.kind == .continuation else { return false }
    return run.openWork.losses > 0 && holder.wait.tasks == run.openWork.losses
  }

  var fix: Finding.Fix? {
    guard let holder else { return nil }
    let name = DisplayText.name(holder.place)
    if holder.isAsleep {
      return Finding.Fix(
        "Cancel \(name) when the shutdown begins, or let the shutdown wait for it no longer than it may take."
      )
    }
    let what = holder.service.map { "Service “\($0.name)”" } ?? "The task"
    return Finding.Fix(
      "\(what) must go on when the shutdown begins: resume what it waits for in \(name), or give up waiting for it."
    )
  }

  /// In sentences, as seen from the end.
  func evidence(at end: UInt64) -> [Finding.Evidence] {
    services.map { service in
      let since = service.askedToEnd ?? end
      let time = TimeSpan.text(nanoseconds: end - min(end, since))
      return Finding.Evidence(
        "service “\(service.name)” was asked to end \(time) before, and had not ended")
    } + waiters.prefix(3).map { Finding.Evidence($0.wait.story, place: $0.place) }
  }
}
