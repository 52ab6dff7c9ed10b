public import Breadcrumbs
import Synchronization

/// Connects a storm to the code under test: provides the callbacks to deliver and the checks to
/// run.
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

  /// The recorder for crumbs of the code under test; nil unless the storm runs in child processes.
  public let recorder: BreadcrumbRecorder?

  private let state = Mutex(State())
  private let driver: LifecycleDriver

  init(recorder: BreadcrumbRecorder? = nil) {
    self.recorder = recorder
    driver = LifecycleDriver(recorder: recorder)
  }

  /// Adds a callback that the storm may deliver. `body` receives the number of the delivery, from
  /// 1.
  ///
  /// - Parameters:
  ///   - name: The name of the callback in schedules.
  ///   - never: The ways in which the caller never delivers. For example, a serial queue never
  ///     delivers `.concurrently`, and a callback that is called only once is never delivered
  ///     `.twice`.
  ///   - body: Delivers the callback.
  public func callback(
    _ name: String, never: Set<StormStep.Times> = [], _ body: @escaping @Sendable (Int) -> Void
  ) {
    add(name, .callback, never, .callback { number in .plain { body(number) } })
  }

  /// Adds a callback that the storm may deliver.
  ///
  /// - Parameters:
  ///   - name: The name of the callback in schedules.
  ///   - never: The ways in which the caller never delivers.
  ///   - body: Delivers the callback.
  public func callback(
    _ name: String, never: Set<StormStep.Times> = [], _ body: @escaping @Sendable () -> Void
  ) {
    add(name, .callback, never, .callback { _ in .plain(body) })
  }

  /// Adds an asynchronous callback, which the storm delivers in a separate task.
  ///
  /// While the callback is suspended, the storm resumes other ready work in an order of its choice,
  /// so that deliveries overlap at each suspension point.
  ///
  ///     scenario.callback("sync") { await store.sync() }
  ///
  /// - Parameters:
  ///   - name: The name of the callback in schedules.
  ///   - never: The ways in which the caller never delivers.
  ///   - body: Delivers the callback; receives the number of the delivery, from 1.
  public func callback(
    _ name: String, never: Set<StormStep.Times> = [],
    _ body: @escaping @Sendable (Int) async -> Void
  ) {
    add(
      name, .callback, never, .callback { number in .asynchronous { await body(number) } },
      isAsync: true)
  }

  /// Adds an asynchronous callback, which the storm delivers in a separate task.
  ///
  /// - Parameters:
  ///   - name: The name of the callback in schedules.
  ///   - never: The ways in which the caller never delivers.
  ///   - body: Delivers the callback.
  public func callback(
    _ name: String, never: Set<StormStep.Times> = [], _ body: @escaping @Sendable () async -> Void
  ) {
    add(name, .callback, never, .callback { _ in .asynchronous(body) }, isAsync: true)
  }

  /// Adds a callback that is isolated to the main actor. The storm delivers the callback in a
  /// separate task, from any thread.
  ///
  /// - Parameters:
  ///   - name: The name of the callback in schedules.
  ///   - never: The ways in which the caller never delivers.
  ///   - actor: The main actor.
  ///   - body: Delivers the callback; receives the number of the delivery, from 1.
  public func callback(
    _ name: String, never: Set<StormStep.Times> = [], on actor: MainActor.Type = MainActor.self,
    _ body: @escaping @Sendable @MainActor (Int) -> Void
  ) {
    callback(name, never: never) { number async in await body(number) }
  }

  /// Adds a callback that is isolated to the main actor. The storm delivers the callback in a
  /// separate task, from any thread.
  ///
  /// - Parameters:
  ///   - name: The name of the callback in schedules.
  ///   - never: The ways in which the caller never delivers.
  ///   - actor: The main actor.
  ///   - body: Delivers the callback.
  public func callback(
    _ name: String, never: Set<StormStep.Times> = [], on actor: MainActor.Type = MainActor.self,
    _ body: @escaping @Sendable @MainActor () -> Void
  ) {
    callback(name, never: never) { () async in await body() }
  }

  /// Adds callbacks that the code under test passes to other code, such as completion handlers.
  ///
  /// The storm stores the callbacks and delivers them late, in another order, twice, or never.
  ///
  ///     let answers = scenario.completions("image")
  ///     let row = Row(load: { url, completion in answers.add { completion(Image(of: url)) } })
  ///
  /// - Parameters:
  ///   - name: The name of the callbacks in schedules.
  ///   - never: The ways in which the caller never delivers. For example, a completion handler that
  ///     is called only once is never delivered `.twice`.
  public func completions(
    _ name: String, never: Set<StormStep.Times> = []
  ) -> StormCompletions {
    let completions = StormCompletions()
    add(name, .completions, never, .completions(completions))
    return completions
  }

  /// Adds an action that occurs only on the main queue, between deliveries, such as a tap or a
  /// scroll.
  public func action(_ name: String, _ body: @escaping @Sendable @MainActor () -> Void) {
    add(name, .action, [.concurrently], .action(.plain(onMain: body)))
  }

  /// Adds an asynchronous action, which starts in a task on the main actor, between deliveries.
  public func action(_ name: String, _ body: @escaping @Sendable @MainActor () async -> Void) {
    add(name, .action, [.concurrently], .action(.asynchronous(body)), isAsync: true)
  }

  /// Sets the function that cancels the code under test. Without this function, the storm never
  /// cancels.
  public func onCancel(_ body: @escaping @Sendable @MainActor () -> Void) {
    state.withLock { $0.cancel = .plain(onMain: body) }
  }

  /// Sets the asynchronous function that cancels the code under test.
  public func onCancel(_ body: @escaping @Sendable () async -> Void) {
    state.withLock { $0.cancel = .asynchronous(body) }
  }

  /// Adds a check that must hold after each step and at the end of the schedule. The check runs on
  /// the main queue.
  public func check(
    _ name: String, fileID: StaticString = #fileID, line: UInt = #line,
    _ holds: @escaping @Sendable @MainActor () -> Bool
  ) {
    // Checks run only on the main queue.
    let holds: @Sendable () -> Bool = { MainActor.assumeIsolated(holds) }
    state.withLock { $0.checks.append(StormCheck(name, at: fileID, line, holds)) }
  }

  /// Adds an asynchronous check, for example of an actor's state. The check must hold after each
  /// step and at the end of the schedule.
  public func check(
    _ name: String, fileID: StaticString = #fileID, line: UInt = #line,
    _ holds: @escaping @Sendable () async -> Bool
  ) {
    state.withLock { $0.awaitedChecks.append(StormCheck(name, at: fileID, line, holds)) }
  }

  /// Reports a failure. May be called from any thread, at any time.
  public func fail(_ reason: String, fileID: StaticString = #fileID, line: UInt = #line) {
    state.withLock { $0.failures.append("\(reason)\n  reported at \(fileID):\(line)") }
  }

  /// Keeps an object alive while the schedule runs. Use this for objects to which delegates and
  /// hops hold only weak references.
  public func keep(_ object: any Sendable & AnyObject) {
    state.withLock { $0.kept.append(object) }
  }

  /// The lifecycle of the app or service around the code under test, after launch. A storm makes
  /// lifecycle moves only if the scenario reads this property.
  public var lifecycle: LifecycleDriver {
    state.withLock { $0.hasLifecycle = true }
    return driver
  }

  /// The number of deliveries that have begun.
  public var deliveries: Int { state.withLock { $0.deliveries } }

  private func add(
    _ name: String, _ kind: StormSchedule.AvailableStep.Kind, _ never: Set<StormStep.Times>,
    _ source: Source, isAsync: Bool = false
  ) {
    // Characters with a meaning in the text of a schedule are replaced.
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

  /// Returns the calls that deliver the callback `name` in a step; empty if the scenario has no
  /// such callback.
  func calls(of name: String, _ step: StormStep) -> [StormCall] {
    guard let partner = step.partner else { return calls(of: name, step.times, step.isNewest) }
    return calls(of: name, .once, step.isNewest) + calls(of: partner, .once, step.isNewest)
  }

  private func calls(
    of name: String, _ times: StormStep.Times, _ isNewest: Bool
  ) -> [StormCall] {
    let (source, never) = offer(named: name)
    // A completion handler that is never called twice is replaced by two different ones.
    let isNeverTwice = times == .twice && never.contains(.twice)
    switch source {
    case .callback(let body):
      let times = isNeverTwice ? .once : times
      // Deliveries are counted before the calls are made: a lock inside the calls would order two
      // concurrent calls.
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

  /// Returns the first failure so far. Must be called on the main queue.
  func firstFailure() -> String? {
    let (failure, checks) = state.withLock { ($0.failures.first, $0.checks) }
    if let failure { return failure }
    return checks.first { !$0.holds() }?.doesNotHold
  }

  var awaitedChecks: [StormCheck<@Sendable () async -> Bool>] {
    state.withLock { $0.awaitedChecks }
  }
}
