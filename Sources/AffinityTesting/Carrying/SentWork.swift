import Foundation
import Synchronization

internal import CTestProcess

/// What goes along with a piece of work that was sent somewhere: who sent it.
final class SentWork: Sendable {
  let sender: Sender
  /// Where it is counted until it has run; nil where nobody waits for it.
  private let flight: (count: WorkInFlight, ticket: WorkInFlight.Ticket)?

  private init(_ sender: Sender, delay: UInt64?) {
    self.sender = sender
    if let delay, case .session(let session) = sender {
      flight = (session.work, session.work.begin(after: delay))
    } else {
      flight = nil
    }
  }

  private func end() {
    if let flight { flight.count.end(flight.ticket) }
  }

  /// It is kept back.
  func pause() {
    if let flight { flight.count.pause(flight.ticket) }
  }

  /// It is let go.
  func goOn() {
    if let flight { flight.count.resume(flight.ticket) }
  }

  private func run(_ work: () -> Void) {
    let outer = ms_set_carried_here(Unmanaged.passUnretained(self).toOpaque())
    defer { _ = ms_set_carried_here(outer) }
    if let flight { flight.count.arrive(flight.ticket) }
    if case .session(let session) = sender { session.scoped(work) } else { work() }
  }

  /// Begins to see what is sent, for the rest of the process.
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
        hold: { carried, work in SentWork.at(carried).isHeld(work) },
        created: { task, inherits in TaskSenders.note(task, inherits) }))
    ms_carry_by(carrier)
  }()

  /// Runs `body` on a thread of our own, which nobody has sent.
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
      // One operation ends and another begins, of whomever: nobody can tell.
      SessionRegistry.noteOpaque(sender)
      return nil
    }
    if !sender.isKnown, let session = SessionRegistry.caseSession { sender = .session(session) }
    guard sender.isKnown else { return nil }
    let isAwaited = [MS_SENT_ONCE, MS_SENT_LATER, MS_SENT_JOB].contains(sending)
    return Unmanaged.passRetained(SentWork(sender, delay: isAwaited ? delay : nil)).toOpaque()
  }

  private func isHeld(_ work: OpaquePointer?) -> Bool {
    guard let work, case .session(let session) = sender else { return false }
    return session.tasks?.hold(work, self) ?? false
  }
}

/// Who created tasks that have not inherited it.
enum TaskSenders {
  private static let limit = 1 << 15

  // Two generations: tasks that are long over are forgotten in time.
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
