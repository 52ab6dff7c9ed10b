import IncidentModel

/// A run whose input has been read to its end, with the facts that are known only then.
///
/// Until the input has ended, the analyzer passes it to the rules as a `RunState`, so that no rule
/// can read these facts too early.
final class EndedRun: RunState {
  /// The first hang that has not ended. A starved executor, whose runnable thread gets no
  /// processor, does not count.
  var hang: Hang? { hangs.all.first { $0.doing != .starved } }

  /// The unfinished hang of the main queue; nil if the main queue responds.
  var mainHang: Hang? { hangs.all.first { $0.executor.kind == .mainQueue && $0.doing != .starved } }

  /// The crash of the process; nil if the process did not crash.
  private(set) lazy var crash = CrashReading(in: self)

  /// The change of an actor's state across an await that probably led to the crash; nil if the record
  /// shows none.
  private(set) lazy var reentrancy = crash.flatMap { Reentrancy($0, in: self) }

  /// The id of the crash within one build of the program; nil if no crash or no frame is known.
  private(set) lazy var buildFingerprint = source.crash.flatMap {
    BuildFingerprint.of($0, in: ModuleMap(source.modules))
  }

  /// The threads that waited for each other when the process ended; nil if no deadlock is known.
  private(set) lazy var deadlock =
    crash.flatMap { Deadlock($0, in: self) }
    ?? (source.hungThreads.isEmpty ? nil : Deadlock(hung: source.hungThreads, in: self))
    ?? (isRecording && picture == nil && crash.map { $0.wasAskedFor(in: self) } ?? true
      ? Deadlock(standing: standing.waiting) ?? Deadlock(hangs: hangs.all) : nil)

  /// The tasks of the process and the threads that hold their resources; nil if the input is no
  /// picture of a process.
  private(set) lazy var picture = PictureReading(in: self)

  /// The time of the last sign of life, on the monotonic clock.
  var lastSign: UInt64 { max(lastMonotonic, source.signs.aliveMonotonic ?? 0) }

  /// True if the process was alive when its log or its memory was read.
  var isRunning: Bool { ending == .running }

  /// The time since a running process was asked to end, in nanoseconds; nil if it has ended or was
  /// not asked.
  var endsSince: UInt64? {
    guard isRunning, let asked = askedToEnd else { return nil }
    return lastSign - min(asked, lastSign)
  }

  /// True if the process still runs although it was asked to end some time ago.
  var isLateToEnd: Bool { endsSince.map { $0 >= options.thresholds.slowShutdown } ?? false }

  /// True if the process received a request to end, and has not exited by itself.
  var isAskedInVain: Bool { ending.isOnRequest || isLateToEnd }

  /// The places where tasks wait, from the last list of waiting tasks.
  var waitsAtEnd: [WaitingTasks.Place] { crash?.crash.waiting?.places ?? waits.places }

  /// The places where tasks wait for a continuation, from all lists of waiting tasks.
  var continuationWaits: [CodePlace] { listedContinuations.compactMap(\.place) }

  /// Returns the number of tasks that wait for a continuation in a matching place within a call of
  /// `withCrumbs`, from the last list.
  func tasksOfRequests(waitingIn isIt: (CodePlace) -> Bool) -> Int {
    let last = listedContinuations.last?.listed
    return listedContinuations.filter {
      $0.listed == last && $0.isBelowCrumbs && $0.place.map(isIt) ?? false
    }.reduce(0) { $0 + $1.tasks }
  }

  private struct ListedContinuation {
    let listed: UInt64
    let tasks: Int
    let place: CodePlace?
    let isBelowCrumbs: Bool
  }

  private lazy var listedContinuations: [ListedContinuation] = {
    let crash = crash?.crash
    let listed =
      waits.places.map { ($0, waits.monotonic) }
      + (crash?.waiting?.places ?? []).map { ($0, crash?.monotonic ?? 0) }
    return listed.filter { $0.0.kind == .continuation }.map { wait, monotonic in
      let frames = frames(of: wait.stack, when: monotonic)
      return ListedContinuation(
        listed: monotonic, tasks: wait.tasks,
        place: read(frames).awaiting.first.map { SourceLine.added(to: $0.frame.place) },
        isBelowCrumbs: frames.contains { $0.place.function.hasPrefix("withCrumbs") })
    }
  }()

  /// The outcome of the run, with its description.
  private(set) lazy var manner = RunOutcome(self)

  /// True if the only record of a request to end are services that were asked to end and had not
  /// ended: the program shut down its service group itself, or no recorder saw the signal.
  var isHeldByServices: Bool { !lifecycle.wasToldToEnd && !openWork.unended.isEmpty }

  /// True if the process did not end by the request to end itself: the process handles the signal,
  /// or a group of services handles the request.
  var takesAsk: Bool { source.signs.takesAsk || isHeldByServices }

  /// The ending of the run, from all known facts.
  var ending: RunEnding {
    if case .crash = source.ending { return source.ending }
    if let crash = source.crash { return .crash(signal: crash.signal, .certain) }
    let isTold =
      (lifecycle.wasToldToEnd || isHeldByServices)
      && (source.ending == .killed || source.ending == .killedInHang)
    return isTold ? .terminated(signal: lifecycle.toldBySignal) : source.ending
  }
}
