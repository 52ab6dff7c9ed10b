import Synchronization

/// The observations of a storm about the code under test.
final class StormMemory: Sendable {
  private let blockers = Mutex<Set<String>>([])
  private let plays: Mutex<UInt64>
  private let restless = Mutex(false)
  private let unordered = Mutex(false)
  private let clock = Mutex(false)
  private let places = Mutex<[String: StoppingPlaces]>([:])
  private let playsBefore: UInt64
  private let instructions = Mutex<UInt64>(0)

  /// - Parameter plays: The number of schedules that were played before.
  init(plays: UInt64 = 0) {
    self.plays = Mutex(plays)
    playsBefore = plays
  }

  /// Returns the number of the schedule that is played next.
  func nextPlay() -> UInt64 { nextPlays(1) }

  /// Reserves the numbers of the next `count` schedules, and returns the first.
  func nextPlays(_ count: Int) -> UInt64 {
    plays.withLock { plays in
      defer { plays += UInt64(count) }
      return plays
    }
  }

  /// True if the step's callback was seen to wait for the main queue. Such a step is played with
  /// the main queue free.
  func waitsForMain(_ step: StormStep) -> Bool {
    guard case .deliver(let name, _) = step.action else { return false }
    return blockers.withLock { $0.contains(name) }
  }

  /// True if work of the code under test was seen not to end.
  var isRestless: Bool { restless.withLock { $0 } }

  func noteRestless() { restless.withLock { $0 = true } }

  /// True if a callback was seen to wait for a task, so that tasks cannot be held.
  var waitsForTasks: Bool { unordered.withLock { $0 } }

  func noteWaitsForTasks() { unordered.withLock { $0 = true } }

  /// Notes that a timer fired between deliveries.
  func noteClock() { clock.withLock { $0 = true } }

  /// Returns the place at which the next call of `callback` is stopped while another call runs.
  func nextPlace(in callback: String, _ random: inout SeededRandom) -> StoppingPlace? {
    places.withLock { $0[callback, default: StoppingPlaces(after: playsBefore)].next(&random) }
  }

  func learn(_ place: StoppingPlace, in callback: String, _ interleaving: Interleaving) {
    places.withLock { $0[callback]?.learn(place, interleaving) }
    instructions.withLock { $0 += UInt64(interleaving.counted) }
  }

  /// The number of instructions that were counted in calls.
  var countedInstructions: UInt64 { instructions.withLock { $0 } }

  /// The reason why the same deliveries may behave differently when replayed; nil if the storm
  /// controls their order completely.
  var doubt: String? {
    if isRestless { return "work of the code under test did not become idle between deliveries" }
    if waitsForTasks { return "a callback blocks its thread until a task runs" }
    if clock.withLock({ $0 }) {
      return "a timer or a delay of the code under test fired between deliveries"
    }
    return nil
  }

  func noteWaitsForMain(_ step: StormStep) {
    guard case .deliver(let name, _) = step.action else { return }
    blockers.withLock { _ = $0.insert(name) }
  }
}
