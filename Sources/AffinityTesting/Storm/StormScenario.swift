public import Breadcrumbs
import Synchronization

/// Connects a storm to the code under test: the callbacks to deliver, and the checks to make.
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

  /// Records crumbs of the code under test; nil if the storm does not run in child processes.
  public let recorder: BreadcrumbRecorder?

  private let state = Mutex(State())
  private let driver: LifecycleDriver

  init(recorder: BreadcrumbRecorder? = nil) {
    self.recorder = recorder
    driver = LifecycleDriver(recorder: recorder)
  }

  /// Adds a callback that the storm may deliver; `body` gets the number of the delivery, from 1.
  ///
  /// - Parameters:
  ///   - name: Its name in schedules.
  ///   - never: What the caller never does: a serial queue never delivers `.concurrently`, and a callback
  ///     that is called only once never comes `.twice`.
  ///   - body: Calls back.
  public func callback(
    _ name: String, never: Set<StormStep.Times> = [], _ body: @escaping @Sendable (Int) -> Void
  ) {
    add(name, .callback, never, .callback(body))
  }

  /// Adds a callback that the storm may deliver.
  ///
  /// - Parameters:
  ///   - name: Its name in schedules.
  ///   - never: What the caller never does.
  ///   - body: Calls back.
  public func callback(
    _ name: String, never: Set<StormStep.Times> = [], _ body: @escaping @Sendable () -> Void
  ) {
    add(name, .callback, never, .callback { _ in body() })
  }

  /// Adds callbacks that the code under test passes on while it runs, such as completion handlers.
  ///
  /// They wait until the storm delivers them: late, in another order, twice, or never.
  ///
  ///     let answers = scenario.completions("image")
  ///     let row = Row(load: { url, completion in answers.add { completion(Image(of: url)) } })
  ///
  /// - Parameters:
  ///   - name: Their name in schedules.
  ///   - never: What the caller never does: a completion handler that is called only once never comes
  ///     `.twice`.
  public func completions(
    _ name: String, never: Set<StormStep.Times> = []
  ) -> StormCompletions {
    let completions = StormCompletions()
    add(name, .completions, never, .completions(completions))
    return completions
  }

  /// Adds an action that happens only on the main queue, between deliveries: a tap, a scroll.
  public func action(_ name: String, _ body: @escaping @Sendable () -> Void) {
    add(name, .action, [.concurrently], .action(body))
  }

  /// Sets how to cancel the code under test; without it the storm never cancels.
  public func onCancel(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.cancel = body }
  }

  /// Adds a check that must hold after each step and at the end; it runs on the main queue.
  public func check(_ name: String, _ holds: @escaping @Sendable () -> Bool) {
    state.withLock { $0.checks.append((name, holds)) }
  }

  /// Reports a failure, from any thread, at any time.
  public func fail(_ reason: String) {
    state.withLock { $0.failures.append(reason) }
  }

  /// Keeps an object under test while the schedule runs; delegates and hops hold it weakly.
  public func keep(_ object: any Sendable & AnyObject) {
    state.withLock { $0.kept.append(object) }
  }

  /// The lifecycle of the app or service around the code under test, already launched. A storm moves
  /// through it if you use it.
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
