extension StormSchedule {
  /// A callback or an action that a storm may use in a step.
  struct AvailableStep: Sendable, Codable {
    enum Kind: String, Sendable, Codable { case callback, completions, action }

    let name: String
    let kind: Kind
    let isAsync: Bool
    let never: Set<StormStep.Times>
  }

  /// The steps that a scenario offers to a storm.
  struct AvailableSteps: Sendable, Codable {
    var offers: [AvailableStep]
    var canCancel: Bool
    var hasLifecycle: Bool

    var callbacks: [AvailableStep] { offers.filter { $0.kind != .action } }
    var actions: [AvailableStep] { offers.filter { $0.kind == .action } }

    /// The callbacks that may be delivered while another one runs. Async callbacks overlap at their
    /// suspension points without such deliveries.
    var overlapping: [AvailableStep] {
      callbacks.filter { !$0.never.contains(.concurrently) && !$0.isAsync }
    }
  }

  /// Returns schedules with `deliveries` deliveries in total. Each schedule is an episode with new
  /// code under test.
  static func random(
    seed: UInt64, deliveries: Int, _ availableSteps: AvailableSteps
  ) -> [StormSchedule] {
    var random = SeededRandom(seed: seed)
    var lengths: [Int] = []
    var rest = deliveries
    while rest > 0 {
      let length = min(rest, episodeLengths[lengths.count % episodeLengths.count])
      lengths.append(length)
      rest -= length
    }
    var characters = EpisodeTraitsGenerator(of: lengths.count)
    var pairs = Pairs(availableSteps.overlapping)
    return (0..<lengths.count).map { _ in
      let length = random.draw(from: &lengths)
      return StormSchedule(
        characters.next(&random).episode(
          of: length, availableSteps, &pairs, &random))
    }
  }

  /// Schedules for the most frequent bugs of each callback, which every storm tries regardless of
  /// its seed.
  static func drills(of availableSteps: AvailableSteps) -> [StormSchedule] {
    availableSteps.callbacks.filter { $0.kind == .callback }.flatMap { offer in
      let here = StormStep(.deliver(offer.name, on: .main))
      let elsewhere = StormStep(.deliver(offer.name, on: .queue))
      var drills = [[elsewhere.busy, here.busy], [here, elsewhere, here]]
      if !offer.never.contains(.twice) { drills.append([here.twice.busy, elsewhere.twice]) }
      if availableSteps.canCancel {
        drills += [
          [StormStep(.cancel), here, elsewhere], [elsewhere.busy, StormStep(.cancel).busy, here],
        ]
      }
      if availableSteps.hasLifecycle {
        let background = StormStep(.lifecycle(.background))
        drills += [[background, here, elsewhere], [elsewhere.busy, background.busy, here]]
      }
      return drills.map { StormSchedule($0) }
    }
  }

  /// Schedules that deliver each pair of callbacks concurrently as the first step, because many
  /// races occur only in newly created objects.
  static func races(of availableSteps: AvailableSteps) -> [StormSchedule] {
    let names = availableSteps.overlapping.filter { $0.kind == .callback }.map(\.name)
    return names.flatMap { first in
      names.map { second in
        var step = StormStep(.deliver(first, on: .queue))
        step.times = .concurrently
        step.partner = first == second ? nil : second
        return StormSchedule([step])
      }
    }
  }

  /// The numbers of deliveries per episode. Short episodes are included because many bugs depend on
  /// the first delivery.
  private static let episodeLengths = [20, 10, 30, 5, 20, 40, 10, 20, 5, 40]
}

extension StormStep {
  fileprivate var busy: StormStep {
    var step = self
    step.whileMainIsBusy = true
    return step
  }

  fileprivate var twice: StormStep {
    var step = self
    step.times = .twice
    return step
  }
}

/// Properties shared by the deliveries of an episode.
private struct EpisodeTraits {
  /// The share of deliveries on the main queue, in quarters.
  var mainShare: UInt64 = 0
  /// The share of steps with a busy main queue, in sixths.
  var busyShare: UInt64 = 0
  /// True if the episode contains lifecycle moves.
  var lives = false
  var cancels = false

  func episode(
    of deliveries: Int, _ availableSteps: StormSchedule.AvailableSteps, _ pairs: inout Pairs,
    _ random: inout SeededRandom
  ) -> [StormStep] {
    var walk = LifecycleDriver.Walk()
    var steps: [StormStep] = []
    for _ in 0..<deliveries {
      if lives, availableSteps.hasLifecycle, random.chance(1, in: 5) {
        steps.append(onMain(.lifecycle(walk.next(&random)), &random))
      }
      if !availableSteps.actions.isEmpty, random.chance(1, in: 2) {
        steps.append(onMain(.act(random.element(of: availableSteps.actions).name), &random))
      }
      steps.append(delivery(random.element(of: availableSteps.callbacks), &pairs, &random))
    }
    if cancels, availableSteps.canCancel {
      // The cancel is in the first half, because the steps after it show bugs.
      let place = Int(random.next() % UInt64(steps.count / 2 + 1))
      steps.insert(onMain(.cancel, &random), at: place)
    }
    for index in steps.indices where random.chance(1, in: 2) {
      steps[index].order = UInt32(1 + random.next() % 99)
    }
    return steps
  }

  /// Returns a step on the main queue. While the queue is kept busy, the step runs before blocks
  /// that callbacks sent there.
  private func onMain(
    _ action: StormStep.Action, _ random: inout SeededRandom
  ) -> StormStep {
    var step = StormStep(action)
    if case .act = action, random.chance(1, in: 4) { step.times = .twice }
    step.whileMainIsBusy = random.chance(busyShare, in: 6)
    return step
  }

  private func delivery(
    _ offer: StormSchedule.AvailableStep, _ pairs: inout Pairs, _ random: inout SeededRandom
  ) -> StormStep {
    let mainPlaces: [StormStep.Place] = [.main, .main, .mainSync, .queueOnMain]
    let otherPlaces: [StormStep.Place] = [.queue, .nestedQueue, .global, .thread, .task]
    let place = random.element(of: random.chance(mainShare, in: 4) ? mainPlaces : otherPlaces)
    var step = StormStep(.deliver(offer.name, on: place))
    if random.chance(1, in: 8) { step.times = .twice }
    if offer.never.contains(step.times) { step.times = .once }
    // The second delivery of a pair runs on a thread, even if the first one runs on the main queue.
    if mainShare < 4, random.chance(pairs.share, in: 24), let pair = pairs.next(&random) {
      step.times = .concurrently
      step.action = .deliver(pair.0, on: place)
      step.partner = pair.1 == pair.0 ? nil : pair.1
    }
    if random.chance(1, in: 10) { step.delay = random.element(of: [1, 2, 5]) }
    step.isNewest = offer.kind == .completions && random.chance(1, in: 2)
    step.whileMainIsBusy = place != .mainSync && random.chance(busyShare, in: 6)
    return step
  }
}

/// Chooses pairs of callbacks for concurrent deliveries, each pair equally often, so that no pair
/// is omitted if there are many.
private struct Pairs {
  private let names: [String]
  private var left: [(String, String)] = []

  init(_ offers: [StormSchedule.AvailableStep]) { names = offers.map(\.name) }

  /// The share of concurrent deliveries, in 1/24; it increases with the number of callbacks.
  var share: UInt64 { UInt64(min(max(4, 3 * names.count), 12)) }

  mutating func next(_ random: inout SeededRandom) -> (String, String)? {
    if left.isEmpty {
      for (index, name) in names.enumerated() {
        left += names[index...].map { (name, $0) }
      }
    }
    guard !left.isEmpty else { return nil }
    let pair = random.draw(from: &left)
    return random.chance(1, in: 2) ? pair : (pair.1, pair.0)
  }
}

/// Creates the traits of a number of episodes. Each trait has a fixed share of the episodes, and
/// traits are combined at random.
private struct EpisodeTraitsGenerator {
  private var mainShares: [UInt64]
  private var busyShares: [UInt64]
  private var lives: [Bool]
  private var cancels: [Bool]

  init(of count: Int) {
    mainShares = (0..<count).map { [2, 0, 4, 2, 1][$0 % 5] }
    busyShares = (0..<count).map { [2, 0, 4][$0 % 3] }
    lives = (0..<count).map { $0 % 2 == 0 }
    cancels = (0..<count).map { $0 % 2 == 0 }
  }

  mutating func next(_ random: inout SeededRandom) -> EpisodeTraits {
    EpisodeTraits(
      mainShare: random.draw(from: &mainShares), busyShare: random.draw(from: &busyShares),
      lives: random.draw(from: &lives), cancels: random.draw(from: &cancels))
  }
}
