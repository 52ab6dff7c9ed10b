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
    var offers: [(offer: StormSchedule.AvailableStep, source: Source)] = []
    var cancel: StormCall?
    var checks: [StormCheck<@Sendable () -> Bool>] = []
    var awaitedChecks: [StormCheck<@Sendable () async -> Bool>] = []
    var failures: [String] = []
    var deliveries = 0
    var kept: [any Sendable & AnyObject] = []
    var hasLifecycle = false
  }

  private enum Source {
    case callback(@Sendable (Int) -> StormCall)
    case completions(StormCompletions)
    case action(StormCall)
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
  ///   - name: The name in schedules.
  ///   - never: The ways in which the caller never delivers: a serial queue never delivers `.concurrently`, and
  ///     a callback that is called only once never comes `.twice`.
  ///   - body: Calls back.
  public func callback(
    _ name: String, never: Set<StormStep.Times> = [], _ body: @escaping @Sendable (Int) -> Void
  ) {
    add(name, .callback, never, .callback { number in .plain { body(number) } })
  }

  /// Adds a callback that the storm may deliver.
  ///
  /// - Parameters:
  ///   - name: The name in schedules.
  ///   - never: The ways in which the caller never delivers.
  ///   - body: Calls back.
  public func callback(
    _ name: String, never: Set<StormStep.Times> = [], _ body: @escaping @Sendable () -> Void
  ) {
    add(name, .callback, never, .callback { _ in .plain(body) })
  }

  /// Adds an asynchronous callback, which the storm delivers in a task of its own.
  ///
  /// While the callback waits, the storm continues other ready work, in an order of its own; deliveries overlap
  /// at each suspension point.
  ///
  ///     scenario.callback("sync") { await store.sync() }
  ///
  /// - Parameters:
  ///   - name: The name in schedules.
  ///   - never: The ways in which the caller never delivers.
  ///   - body: Calls back; receives the number of the delivery, from 1.
  public func callback(
    _ name: String, never: Set<StormStep.Times> = [],
    _ body: @escaping @Sendable (Int) async -> Void
  ) {
    add(
      name, .callback, never, .callback { number in .asynchronous { await body(number) } },
      isAsync: true)
  }

  /// Adds an asynchronous callback, which the storm delivers in a task of its own.
  ///
  /// - Parameters:
  ///   - name: The name in schedules.
  ///   - never: The ways in which the caller never delivers.
  ///   - body: Calls back.
  public func callback(
    _ name: String, never: Set<StormStep.Times> = [], _ body: @escaping @Sendable () async -> Void
  ) {
    add(name, .callback, never, .callback { _ in .asynchronous(body) }, isAsync: true)
  }

  /// Adds a callback of the main actor, which the storm delivers in a task of its own, from any thread.
  ///
  /// - Parameters:
  ///   - name: The name in schedules.
  ///   - never: The ways in which the caller never delivers.
  ///   - actor: The main actor.
  ///   - body: Calls back; receives the number of the delivery, from 1.
  public func callback(
    _ name: String, never: Set<StormStep.Times> = [], on actor: MainActor.Type = MainActor.self,
    _ body: @escaping @Sendable @MainActor (Int) -> Void
  ) {
    callback(name, never: never) { number async in await body(number) }
  }

  /// Adds a callback of the main actor, which the storm delivers in a task of its own, from any thread.
  ///
  /// - Parameters:
  ///   - name: The name in schedules.
  ///   - never: The ways in which the caller never delivers.
  ///   - actor: The main actor.
  ///   - body: Calls back.
  public func callback(
    _ name: String, never: Set<StormStep.Times> = [], on actor: MainActor.Type = MainActor.self,
    _ body: @escaping @Sendable @MainActor () -> Void
  ) {
    callback(name, never: never) { () async in await body() }
  }

  /// Adds callbacks that the code under test passes on while it runs, such as completion handlers.
  ///
  /// They wait until the storm delivers them: late, in another order, twice, or never.
  ///
  ///     let answers = scenario.completions("image")
  ///     let row = Row(load: { url, completion in answers.add { completion(Image(of: url)) } })
  ///
  /// - Parameters:
  ///   - name: The name in schedules.
  ///   - never: The ways in which the caller never delivers: a completion handler that is called only once
  ///     never comes `.twice`.
  public func completions(
    _ name: String, never: Set<StormStep.Times> = []
  ) -> StormCompletions {
    let completions = StormCompletions()
    add(name, .completions, never, .completions(completions))
    return completions
  }

  /// Adds an action that happens only on the main queue, between deliveries: a tap, a scroll.
  public func action(_ name: String, _ body: @escaping @Sendable @MainActor () -> Void) {
    add(name, .action, [.concurrently], .action(.plain(onMain: body)))
  }

  /// Adds an asynchronous action, which a task on the main actor begins, between deliveries.
  public func action(_ name: String, _ body: @escaping @Sendable @MainActor () async -> Void) {
    add(name, .action, [.concurrently], .action(.asynchronous(body)), isAsync: true)
  }

  /// Sets how to cancel the code under test; without it the storm never cancels.
  public func onCancel(_ body: @escaping @Sendable @MainActor () -> Void) {
    state.withLock { $0.cancel = .plain(onMain: body) }
  }

  /// Sets how to cancel the code under test, where that has to be awaited.
  public func onCancel(_ body: @escaping @Sendable () async -> Void) {
    state.withLock { $0.cancel = .asynchronous(body) }
  }

  /// Adds a check that must hold after each step and at the end; it runs on the main queue.
  public func check(
    _ name: String, fileID: StaticString = #fileID, line: UInt = #line,
    _ holds: @escaping @Sendable @MainActor () -> Bool
  ) {
    // It is asked on the main queue alone.
    let holds: @Sendable () -> Bool = { MainActor.assumeIsolated(holds) }
    state.withLock { $0.checks.append(StormCheck(name, at: fileID, line, holds)) }
  }

  /// Adds an asynchronous check, for example of an actor's state; it must hold after each step and at the end.
  public func check(
    _ name: String, fileID: StaticString = #fileID, line: UInt = #line,
    _ holds: @escaping @Sendable () async -> Bool
  ) {
    state.withLock { $0.awaitedChecks.append(StormCheck(name, at: fileID, line, holds)) }
  }

  /// Reports a failure, from any thread, at any time.
  public func fail(_ reason: String, fileID: StaticString = #fileID, line: UInt = #line) {
    state.withLock { $0.failures.append("\(reason)\n  reported at \(fileID):\(line)") }
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
    _ name: String, _ kind: StormSchedule.AvailableStep.Kind, _ never: Set<StormStep.Times>,
    _ source: Source, isAsync: Bool = false
  ) {
    // As a schedule's text can tell it.
    let name = String(name.map { ";\n".contains($0) ? " " : $0 }).replacing(" + ", with: " and ")
    let offer = StormSchedule.AvailableStep(name: name, kind: kind, isAsync: isAsync, never: never)
    state.withLock { $0.offers.append((offer, source)) }
  }
}

extension StormScenario {
  /// The steps that a storm may make with this scenario.
  var availableSteps: StormSchedule.AvailableSteps {
    state.withLock {
      StormSchedule.AvailableSteps(
        offers: $0.offers.map(\.offer), canCancel: $0.cancel != nil, hasLifecycle: $0.hasLifecycle)
    }
  }

  func launch() async throws { try await driver.move(.launch) }

  func move(_ move: LifecycleDriver.Move) { try? driver.moveOnMain(move) }

  func cancel() { state.withLock { $0.cancel }?.make() }

  func act(_ name: String, _ times: StormStep.Times) {
    guard case .action(let body) = offer(named: name).source else { return }
    for _ in 0..<(times == .once ? 1 : 2) { body.make() }
  }

  /// The calls that a step makes to deliver the callback of that name; empty if no callback has the name.
  func calls(of name: String, _ step: StormStep) -> [StormCall] {
    guard let partner = step.partner else { return calls(of: name, step.times, step.isNewest) }
    return calls(of: name, .once, step.isNewest) + calls(of: partner, .once, step.isNewest)
  }

  private func calls(
    of name: String, _ times: StormStep.Times, _ isNewest: Bool
  ) -> [StormCall] {
    let (source, never) = offer(named: name)
    // Two completions that each come once may still come one after the other.
    let isNeverTwice = times == .twice && never.contains(.twice)
    switch source {
    case .callback(let body):
      let times = isNeverTwice ? .once : times
      // Counted before: a lock on the way would let one of two go first.
      return (0..<(times == .once ? 1 : 2)).map { _ in body(countDelivery()) }
    case .completions(let completions):
      let calls = completions.take(isNeverTwice ? .concurrently : times, newest: isNewest)
      for _ in calls { _ = countDelivery() }
      return calls
    case .action, nil: return []
    }
  }

  private func offer(named name: String) -> (source: Source?, never: Set<StormStep.Times>) {
    state.withLock { state in
      let found = state.offers.first { $0.offer.name == name }
      return (found?.source, found?.offer.never ?? [])
    }
  }

  private func countDelivery() -> Int {
    state.withLock {
      $0.deliveries += 1
      return $0.deliveries
    }
  }

  /// The first failure so far; call on the main queue.
  func firstFailure() -> String? {
    let (failure, checks) = state.withLock { ($0.failures.first, $0.checks) }
    if let failure { return failure }
    return checks.first { !$0.holds() }?.doesNotHold
  }

  /// The checks that take a task.
  var awaitedChecks: [StormCheck<@Sendable () async -> Bool>] {
    state.withLock { $0.awaitedChecks }
  }
}
