import Foundation
import Synchronization

internal import CRecorder
internal import CTestProcess

/// The context that sent work carries, with its sender.
final class SentWork: Sendable {
  let sender: Sender
  /// The position of the work among all work of the session. Held work gets a new position when it
  /// is released.
  private(set) nonisolated(unsafe) var order: SendingOrder
  /// The stacks of the work's senders, newest first.
  private let senders: [[UInt]]
  /// The counter that includes this work until the work has run; nil if no test waits for the work.
  private let flight: (count: WorkInFlight, ticket: WorkInFlight.WorkID)?
  /// True if the work is a job of a task.
  private let isJob: Bool

  private init(_ sender: Sender, delay: UInt64, isAwaited: Bool, isJob: Bool) {
    self.sender = sender
    self.isJob = isJob
    order = Self.nextOrder(of: sender, isOfClock: delay > 0)
    if case .session = sender {
      senders = [Self.stackHere()] + Self.sendersHere.prefix(Self.mostSenders - 1)
    } else {
      senders = []
    }
    if isAwaited, case .session(let session) = sender {
      flight = (session.work, session.work.begin(after: delay, isJob: isJob))
    } else {
      flight = nil
    }
  }

  /// Returns the position of the next work that the caller sends.
  static func nextOrder(of sender: Sender, isOfClock: Bool = false) -> SendingOrder {
    let here = ms_carried_here().map { at($0) }
    if let here, case .session = here.sender { return here.order.next(isOfClock: isOfClock) }
    guard case .session(let session) = sender else { return SendingOrder() }
    return session.order.next(isOfClock: isOfClock)
  }

  private static let mostSenders = 4

  /// The stacks of the senders of the running work.
  static var sendersHere: [[UInt]] { ms_carried_here().map { at($0).senders } ?? [] }

  @inline(never)
  private static func stackHere() -> [UInt] {
    [UInt](unsafeUninitializedCapacity: 32) { buffer, count in
      var end = MS_WALK_COMPLETE
      count = Int(ms_walk_here(buffer.baseAddress, UInt32(buffer.count), 0, &end))
    }
  }

  private func end() {
    if let flight { flight.count.end(flight.ticket) }
  }

  /// Excludes the work from the counter while it is held.
  func pause() {
    if let flight { flight.count.pause(flight.ticket) }
  }

  /// Includes released work in the counter again, and gives it a position relative to the session.
  func goOn() {
    if case .session(let session) = sender { order = session.order.next() }
    if let flight { flight.count.resume(flight.ticket) }
  }

  private func run(_ work: () -> Void) {
    let outer = ms_set_carried_here(Unmanaged.passUnretained(self).toOpaque())
    defer { _ = ms_set_carried_here(outer) }
    if let flight { flight.count.arrive(flight.ticket) }
    guard case .session(let session) = sender else { return work() }
    if isJob { return runJob(of: session, work) }
    if order.isOfClock { session.tasks?.noteClock() }
    if flight != nil, !order.isOfClock, !ms_plays_turn_here() { session.gate.pass() }
    session.scoped(work)
  }

  /// Runs a job of a task. The task-local values of the job already identify the session. Held jobs
  /// are released one at a time, and each release is a turn.
  private func runJob(of session: ViolationSession, _ work: () -> Void) {
    guard session.tasks?.isKeepingBack == true else { return work() }
    session.gate.close()
    defer { session.gate.open() }
    work()
  }

  /// Starts tracking sent work, for the rest of the process.
  static func beginToSee() { began }

  private static let began: Void = {
    let carrier = UnsafeMutablePointer<ms_carrier>.allocate(capacity: 1)
    carrier.initialize(
      to: ms_carrier(
        take: { SentWork.take($0, delay: $1) },
        run: { carried, work, context in SentWork.at(carried).run { work?(context) } },
        drop: { carried in
          SentWork.at(carried).end()
          Unmanaged<SentWork>.fromOpaque(carried!).release()
        },
        hold: { SentWork.at($0).isHeld($1, isOnMain: $2) },
        created: { task, inherits in TaskSenders.note(task, inherits) }))
    ms_carry_by(carrier)
  }()

  /// Runs `body` on a new thread without a sender.
  static func onThread(_ body: @escaping @Sendable () -> Void) {
    Thread {
      _ = ms_set_carried_here(nil)
      body()
    }.start()
  }

  private static func at(_ carried: UnsafeMutableRawPointer?) -> SentWork {
    Unmanaged<SentWork>.fromOpaque(carried!).takeUnretainedValue()
  }

  private static func take(_ sending: ms_sending, delay: UInt64) -> UnsafeMutableRawPointer? {
    var sender = Sender.here
    if sending == MS_SENT_OPAQUE {
      // When one operation of a queue ends, the library starts the next operation, whose sender is
      // unknown.
      SessionRegistry.noteOpaque(sender)
      return nil
    }
    if !sender.isKnown, let session = SessionRegistry.caseSession { sender = .session(session) }
    guard sender.isKnown else { return nil }
    let isAwaited = [MS_SENT_ONCE, MS_SENT_LATER, MS_SENT_JOB].contains(sending)
    return Unmanaged.passRetained(
      SentWork(sender, delay: delay, isAwaited: isAwaited, isJob: sending == MS_SENT_JOB)
    ).toOpaque()
  }

  private func isHeld(_ work: OpaquePointer?, isOnMain: Bool) -> Bool {
    guard let work, case .session(let session) = sender else { return false }
    let part = HeldPart(work: work, sent: self)
    if !order.isOfClock, TaskTurns.takes(part, of: session, isOnMain: isOnMain) { return true }
    return !isOnMain && session.tasks?.hold(part) ?? false
  }
}

/// The senders of tasks that did not inherit their sender.
enum TaskSenders {
  private static let limit = 1 << 15

  // The senders by task, in two generations: when `new` is full, it replaces `old`, whose tasks
  // have mostly finished.
  private static let senders = Mutex<(new: [UInt64: Sender], old: [UInt64: Sender])>(([:], [:]))

  static func sender(of task: UInt64) -> Sender? {
    senders.withLock { $0.new[task] ?? $0.old[task] }
  }

  static func note(_ task: UnsafeMutableRawPointer?, _ inherits: Bool) {
    guard let task else { return }
    if inherits, ViolationSession.current != nil { return }
    let sender = Sender.here
    if inherits, case .unchecked = sender { return }
    let id = ms_id_of_task(task)
    senders.withLock { senders in
      if senders.new.count >= limit { senders = ([:], senders.new) }
      senders.new[id] = sender
    }
  }
}
