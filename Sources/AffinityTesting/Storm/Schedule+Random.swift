extension Schedule {
  /// What a shim offers to a storm.
  struct Repertoire: Sendable, Codable {
    var callbacks: [String]
    var canCancel: Bool
    var hasLifecycle: Bool
  }

  /// As many deliveries as told, in episodes that each have code of their own to deliver to.
  ///
  /// Episodes differ in character: what is delivered on main only hides no bug of order, and what
  /// never cancels no bug that a closed screen would.
  static func random(
    seed: UInt64, deliveries: Int, _ repertoire: Repertoire
  ) -> [Schedule] {
    var random = SeededRandom(seed: seed)
    return stride(from: 0, to: deliveries, by: episodeLength).map { start in
      episode(of: min(episodeLength, deliveries - start), repertoire, &random)
    }
  }

  private static let episodeLength = 20

  private static func episode(
    of deliveries: Int, _ repertoire: Repertoire, _ random: inout SeededRandom
  ) -> Schedule {
    let mainShare = random.element(of: [0, 2, 2, 4] as [UInt64])
    let lives = repertoire.hasLifecycle && random.chance(1, in: 2)
    var walk = LifecycleDriver.Walk()
    var steps: [ScheduleStep] = []
    for _ in 0..<deliveries {
      if lives, random.chance(1, in: 5) {
        steps.append(ScheduleStep(.lifecycle(walk.next(&random))))
      }
      steps.append(delivery(of: repertoire.callbacks, mainShare: mainShare, &random))
    }
    if repertoire.canCancel, random.chance(1, in: 2) {
      let place = Int(random.next() % UInt64(steps.count + 1))
      steps.insert(ScheduleStep(.cancel), at: place)
    }
    return Schedule(steps)
  }

  /// - Parameter mainShare: How many of four deliveries are made on main.
  private static func delivery(
    of callbacks: [String], mainShare: UInt64, _ random: inout SeededRandom
  ) -> ScheduleStep {
    let mainPlaces: [ScheduleStep.Place] = [.main, .main, .mainSync, .queueOnMain]
    let otherPlaces: [ScheduleStep.Place] = [.queue, .nestedQueue, .global, .thread, .task]
    let place = random.element(of: random.chance(mainShare, in: 4) ? mainPlaces : otherPlaces)
    var step = ScheduleStep(.deliver(random.element(of: callbacks), on: place))
    if random.chance(1, in: 8) { step.times = .twice }
    // The second of them comes from a thread, also where the first is on main.
    if mainShare < 4, random.chance(1, in: 8) { step.times = .concurrently }
    if random.chance(1, in: 10) { step.delay = random.element(of: [1, 2, 5]) }
    step.whileMainIsBusy = place != .mainSync && random.chance(1, in: 3)
    return step
  }
}

/// Random numbers that are the same everywhere for the same seed: SplitMix64.
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }

  mutating func chance(_ one: UInt64, in many: UInt64) -> Bool { next() % many < one }

  mutating func element<Element>(of elements: [Element]) -> Element {
    elements[Int(next() % UInt64(elements.count))]
  }
}
