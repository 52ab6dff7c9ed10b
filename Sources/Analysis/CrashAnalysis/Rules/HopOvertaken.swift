import IncidentModel
import CLogFormat

/// Finds calls that ran in a different order than the program made them.
final class HopOvertaken: Rule {
  static let about = RuleDescription(
    id: "hop-overtaken", severity: .error,
    title: "Calls ran in a different order than they were made",
    firesWhen: """
      Two successive calls ran on one queue in the opposite order: two calls of one hop, of two \
      hops to one object, or, with unknown objects, of two hops with the same name at different \
      places. Calls are successive if one thread, one serial queue or the main queue sent both; \
      for one hop, also if the first sender had continued before the second call. The finding is a \
      warning if the two hops have different names, or if a request for an answer overtook a call. \
      Dropped calls and calls to different objects have no order. Order that was lost before a \
      call reached its hop is not recorded.
      """,
    cause: """
      Two hops lead to one object: each keeps only the order of its own calls, and one runs a call \
      at once while the call of the other waits. Or a hop leads to a concurrent queue. Or an \
      answer is requested on the main queue, and runs before the waiting calls.
      """,
    evidence: "The arrivals, senders and run times of both calls.",
    fix: "Send both calls through one hop, to a serial queue.",
    triggers: """
      first.send { $0.show(old) }                 // waits in the queue
      second.send { $0.finish() }                 // to the same object: runs at once
      """,
    spares: """
      updates.send { $0.show(old) }
      updates.send { $0.finish() }
      """)

  // Any event shows that its thread has continued. Plain notes are excluded, because a log has too
  // many.
  let interest = Interest(.hop, .uiWork, .violation, .lifecycle, .backgroundTask)

  /// A call that ran before an earlier one.
  private struct OvertakingCall {
    var arrival: HopJoin.Arrival
    var stack: [FrameAddress]
    var run: Run
    /// The stack that sent the overtaken call.
    var passedStack: [FrameAddress]
  }

  /// The place and time at which a call ran.
  private struct Run {
    var monotonic: UInt64
    var thread: Int
    var queue: UInt32
    var onMain: Bool
    /// True if the call ran immediately, on arrival.
    var isAtOnce: Bool

    init(_ event: Event) {
      monotonic = event.monotonic
      thread = event.thread
      queue = event.queueNumber
      onMain = event.onMain == .yes
      isAtOnce = event.integer(MS_KEY_NANOSECONDS) == 0
    }

    /// True if this run came before `other` on a common queue or thread.
    func precedes(_ other: Run) -> Bool {
      if onMain && other.onMain { return true }
      guard thread == other.thread || queue != 0 && queue == other.queue else { return false }
      return thread == other.thread || monotonic &+ CallsOnTheWay.doubt <= other.monotonic
    }
  }

  /// The default names of hops.
  private static let unnamed: Set = ["hop", "completion", "async"]

  private var waiting = CallsOnTheWay()
  /// The calls that a later call has overtaken, by call id.
  private var overtaken: [UInt64: OvertakingCall] = [:]
  private let most = 1 << 16

  func observe(_ event: Event, in run: RunState) {
    waiting.see(event)
    guard event.kind == .hop, let id = event.hop else { return }
    if event.messageBytes.isEqual(to: MS_WORD_ARRIVAL) {
      return waiting.arrive(id, event)
    }
    guard let arrival = run.hops.pending[id] else { return }
    let passer = overtaken.removeValue(forKey: id)
    guard event.messageBytes.isEqual(to: MS_WORD_RUN) else {
      waiting.leave(id)
      return
    }
    let passing = Run(event)
    if let passer, passer.run.precedes(passing) {
      let stack = passer.passedStack
      let key = FindingKey(
        Self.about.id, arrival.name.hashValue, stack.hashValue, passer.arrival.name.hashValue,
        passer.stack.hashValue)
      run.report(key, at: event) { finding(arrival, from: stack, passer, event, run) }
    }
    let place = waiting.stackPlace(of: id)
    let first = waiting.leave(id).first { before in
      run.hops.pending[before].map { owes($0, before, arrival) } ?? false
    }
    if let first, overtaken.count < most {
      overtaken[first] = OvertakingCall(
        arrival: arrival, stack: waiting.stack(of: id, at: place), run: passing,
        passedStack: waiting.stack(of: first, at: waiting.stackPlace(of: first)))
      // An overtaken call is no longer watched: if its run was overwritten, no event would remove
      // the call.
      waiting.leave(first)
    }
  }

  /// True if `first` must run before the later call `second`.
  private func owes(
    _ first: HopJoin.Arrival, _ id: UInt64, _ second: HopJoin.Arrival
  ) -> Bool {
    let isOneSender =
      first.thread == second.thread || first.onMain && second.onMain
      || first.serialQueue != 0 && first.serialQueue == second.serialQueue
    if let hop = first.objects?.hop, hop == second.objects?.hop {
      return isOneSender || waiting.isTakenIn(id, by: second.monotonic)
    }
    // Both calls are in one line, so that they have the same target.
    if let target = first.objects?.target, target != 0 { return isOneSender }
    return isOneSender && first.at != second.at && !Self.unnamed.contains(first.name)
  }
}

// MARK: - Findings

extension HopOvertaken {
  private func finding(
    _ arrival: HopJoin.Arrival, from stack: [FrameAddress], _ passer: OvertakingCall,
    _ event: Event,
    _ run: RunState
  ) -> Finding {
    let other = passer.arrival
    let isOneHop = arrival.objects != nil && arrival.objects == other.objects
    let isAnswer = isOneHop && passer.run.isAtOnce
    let call = isAnswer ? "An answer" : "A call"
    let one =
      other.name == arrival.name ? "a call" : "a call of “\(arrival.name)” to the same object"
    let earlier = TimeSpan.text(nanoseconds: other.monotonic &- arrival.monotonic)
    let sender = sender(passer.stack, other, run)
    var finding = Finding(
      rule: Self.about.id,
      severity: isAnswer || other.name != arrival.name ? .warning : Self.about.severity,
      title: "\(call) of hop “\(other.name)” ran before \(one) that had arrived \(earlier) earlier",
      culprit: sender ?? other.site, api: other.name,
      fix: fix(arrival, passer, isOneHop: isOneHop, event),
      identity: (isOneHop ? "one-hop " : "") + "\(other.name) \(arrival.name)",
      defect: "hop \(arrival.name)")
    finding.cause = [
      step("arrived first", arrival, self.sender(stack, arrival, run), run),
      step("arrived second", other, sender, run),
      Finding.Step(
        "the second call ran before the first", thread: run.thread(event.thread),
        queue: event.queue?.label),
    ]
    return finding
  }

  /// The function that sent a call.
  private func sender(
    _ stack: [FrameAddress], _ arrival: HopJoin.Arrival, _ run: RunState
  ) -> CodePlace? {
    let frames = run.frames(at: stack, when: arrival.monotonic)
    guard let frame = run.read(frames).touched, frame.isNamed else { return nil }
    return SourceLine.added(to: frame.place)
  }

  private func step(
    _ text: String, _ arrival: HopJoin.Arrival, _ sender: CodePlace?, _ run: RunState
  ) -> Finding.Step {
    Finding.Step(
      text, thread: run.thread(arrival.thread), queue: arrival.queue,
      place: sender ?? arrival.site)
  }

  private func fix(
    _ arrival: HopJoin.Arrival, _ passer: OvertakingCall, isOneHop: Bool, _ event: Event
  ) -> Finding.Fix {
    let (first, second) = (arrival.name, passer.arrival.name)
    guard isOneHop else {
      let both = first == second ? "Both calls of “\(first)”" : "“\(first)” and “\(second)”"
      return Finding.Fix(
        "\(both) go to one object: send both through one hop, which keeps their order.")
    }
    if passer.run.isAtOnce {
      return Finding.Fix(
        "A request made on the main queue is answered at once, before calls that wait: make the request in "
          + "a separate turn, with DispatchQueue.main.async.")
    }
    return Finding.Fix(
      "Send “\(first)” to a serial queue: \(DisplayText.queue(event.queue?.label)) runs several calls at a time."
    )
  }
}
