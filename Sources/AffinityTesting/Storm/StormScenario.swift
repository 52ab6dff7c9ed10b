public import Breadcrumbs
import Synchronization

/// What stands between a storm and the code under test: the callbacks to deliver, and what must hold.
///
///     try await CallbackStorm(seed: 7).run(against: { scenario in
///       let screen = PriceScreen()
///       scenario.callback("received prices") { n in screen.received(n) }
///       scenario.onCancel { screen.close() }
///       scenario.check("shows the newest") { screen.shown == scenario.deliveries }
///     })
public final class StormScenario: Sendable {
  private struct State {
    var offers: [(offer: StormSchedule.Offer, source: Source)] = []
    var cancel: (@Sendable () -> Void)?
    var checks: [(name: String, holds: @Sendable () -> Bool)] = []
    var failures: [String] = []
    var deliveries = 0
    var kept: [any Sendable & AnyObject] = []
    var hasLifecycle = false
  }

  private enum Source {
    case callback(@Sendable (Int) -> Void)
    case completions(StormCompletions)
    case action(@Sendable () -> Void)
  }

  /// Where crumbs are left; nil where the storm is not played in children of this process.
  public let recorder: BreadcrumbRecorder?

  private let state = Mutex(State())
  private let driver: LifecycleDriver

  init(recorder: BreadcrumbRecorder? = nil) {
    self.recorder = recorder
    driver = LifecycleDriver(recorder: recorder)
  }

  /// Adds a callback that the storm may deliver; `body` is given the number of the delivery, from 1.
  ///
  /// - Parameter never: What the caller's contract rules out: a callback of a serial queue never
  ///   comes `.concurrently`, one that is promised once never `.twice`.
  public func callback(
    _ name: String, never: Set<StormStep.Times> = [], _ body: @escaping @Sendable (Int) -> Void
  ) {
    add(name, .callback, never, .callback(body))
  }

  /// Adds a callback that the storm may deliver.
  ///
  /// - Parameter never: What the caller's contract rules out.
  public func callback(
    _ name: String, never: Set<StormStep.Times> = [], _ body: @escaping @Sendable () -> Void
  ) {
    add(name, .callback, never, .callback { _ in body() })
  }

  /// Adds callbacks that the code under test hands out as it runs, such as completion handlers.
  ///
  /// They wait until the storm delivers them: late, in another order, twice, or never.
  ///
  ///     let answers = scenario.completions("image")
  ///     let row = Row(load: { url, completion in answers.add { completion(Image(of: url)) } })
  ///
  /// - Parameter never: What the caller's contract rules out: a completion that is called exactly
  ///   once never comes `.twice`.
  public func completions(
    _ name: String, never: Set<StormStep.Times> = []
  ) -> StormCompletions {
    let completions = StormCompletions()
    add(name, .completions, never, .completions(completions))
    return completions
  }

  /// Adds something that happens on the main queue only, between deliveries: a tap, a scroll.
  public func action(_ name: String, _ body: @escaping @Sendable () -> Void) {
    add(name, .action, [.concurrently], .action(body))
  }

  /// Says how the code under test is cancelled; without it the storm never cancels.
  public func onCancel(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.cancel = body }
  }

  /// Says what must hold after each step, and at the end; asked on the main queue.
  public func check(_ name: String, _ holds: @escaping @Sendable () -> Bool) {
    state.withLock { $0.checks.append((name, holds)) }
  }

  /// Says that something is wrong; from any thread, at any time.
  public func fail(_ reason: String) {
    state.withLock { $0.failures.append(reason) }
  }

  /// Keeps what is under test as long as the schedule is played; delegates and hops hold it weakly.
  public func keep(_ object: any Sendable & AnyObject) {
    state.withLock { $0.kept.append(object) }
  }

  /// The life of the app or service around the code under test, launched already. A storm goes through
  /// it if it is asked for.
  public var lifecycle: LifecycleDriver {
    state.withLock { $0.hasLifecycle = true }
    return driver
  }

  /// How many deliveries have begun so far.
  public var deliveries: Int { state.withLock { $0.deliveries } }

  private func add(
    _ name: String, _ kind: StormSchedule.Offer.Kind, _ never: Set<StormStep.Times>,
    _ source: Source
  ) {
    let name = String(name.map { ";\n".contains($0) ? " " : $0 })
    let offer = StormSchedule.Offer(name: name, kind: kind, never: never)
    state.withLock { $0.offers.append((offer, source)) }
  }
}

extension StormScenario {
  /// What a storm may do with it.
  var repertoire: StormSchedule.Repertoire {
    state.withLock {
      StormSchedule.Repertoire(
        offers: $0.offers.map(\.offer), canCancel: $0.cancel != nil, hasLifecycle: $0.hasLifecycle)
    }
  }

  func launch() async { await driver.move(.launch) }

  func move(_ move: LifecycleDriver.Move) { _ = driver.moveOnMain(move) }

  func cancel() { state.withLock { $0.cancel }?() }

  func act(_ name: String, _ times: StormStep.Times) {
    guard case .action(let body) = source(named: name) else { return }
    for _ in 0..<(times == .once ? 1 : 2) { body() }
  }

  /// The calls that a delivery of the callback of that name is made of; none if there is none.
  func calls(
    of name: String, _ times: StormStep.Times, newest: Bool
  ) -> [@Sendable () -> Void] {
    switch source(named: name) {
    case .callback(let body):
      switch times {
      case .once: return [{ body(self.countDelivery()) }]
      case .twice: return Array(repeating: { body(self.countDelivery()) }, count: 2)
      case .concurrently:
        // Counted before: a lock on the way would let one go first.
        let numbers = (countDelivery(), countDelivery())
        return [{ body(numbers.0) }, { body(numbers.1) }]
      }
    case .completions(let completions):
      let calls = completions.take(times, newest: newest)
      for _ in calls { _ = countDelivery() }
      return calls
    case .action, nil: return []
    }
  }

  private func source(named name: String) -> Source? {
    state.withLock { state in state.offers.first { $0.offer.name == name }?.source }
  }

  private func countDelivery() -> Int {
    state.withLock {
      $0.deliveries += 1
      return $0.deliveries
    }
  }

  /// What is wrong so far; to be asked on the main queue.
  func firstFailure() -> String? {
    let (failure, checks) = state.withLock { ($0.failures.first, $0.checks) }
    if let failure { return failure }
    return checks.first { !$0.holds() }.map { "“\($0.name)” does not hold" }
  }
}
