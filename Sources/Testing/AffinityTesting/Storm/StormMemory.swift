import Synchronization

/// Facts that a storm has learned from its schedules.
final class StormMemory: Sendable {
  private let blockers = Mutex<Set<String>>([])
  private let plays: Mutex<UInt64>
  private let restless = Mutex(false)
  private let unordered = Mutex(false)
  private let clock = Mutex(false)
  private let places = Mutex<[String: StoppingPlaces]>([:])
  private let playsBefore: UInt64
  private let instructions = Mutex<UInt64>(0)

  /// - Parameter plays: How many schedules have been played before.
  init(plays: UInt64 = 0) {
    self.plays = Mutex(plays)
    playsBefore = plays
  }

  /// The number of a schedule that is about to be played.
  func nextPlay() -> UInt64 { nextPlays(1) }

  /// The number of the first of so many schedules.
  func nextPlays(_ count: Int) -> UInt64 {
    plays.withLock { plays in
      defer { plays += UInt64(count) }
      return plays
    }
  }

  /// Whether the callback of a step has been seen to wait for the main queue: for it, it is free.
  func waitsForMain(_ step: StormStep) -> Bool {
    guard case .deliver(let name, _) = step.action else { return false }
    return blockers.withLock { $0.contains(name) }
  }

  /// Whether work of the code under test has been seen not to end.
  var isRestless: Bool { restless.withLock { $0 } }

  func noteRestless() { restless.withLock { $0 = true } }

  /// Whether a callback has been seen to wait for a task, so that tasks cannot be kept back.
  var waitsForTasks: Bool { unordered.withLock { $0 } }

  func noteWaitsForTasks() { unordered.withLock { $0 = true } }

  /// Something came between deliveries when the clock said so.
  func noteClock() { clock.withLock { $0 = true } }

  /// The place at which the next call is stopped, while another one runs.
  func nextPlace(in callback: String, _ random: inout SeededRandom) -> StoppingPlace? {
    places.withLock { $0[callback, default: StoppingPlaces(after: playsBefore)].next(&random) }
  }

  func learn(_ place: StoppingPlace, in callback: String, _ interleaving: Interleaving) {
    places.withLock { $0[callback]?.learn(place, interleaving) }
    instructions.withLock { $0 += UInt64(interleaving.counted) }
  }

  /// How many instructions of calls have been counted.
  var countedInstructions: UInt64 { instructions.withLock { $0 } }

  /// Why the same deliveries may go another way the next time; nil if they do not.
  var doubt: String? {
    if isRestless { return "work of the code under test did not come to rest between deliveries" }
    if waitsForTasks { return "a callback waits, blocked, for a task to run" }
    if clock.withLock({ $0 }) {
      return "a timer or a delay of the code under test went off between deliveries"
    }
    return nil
  }

  func noteWaitsForMain(_ step: StormStep) {
    guard case .deliver(let name, _) = step.action else { return }
    blockers.withLock { _ = $0.insert(name) }
  }
}
