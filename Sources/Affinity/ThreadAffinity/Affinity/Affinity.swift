internal import CRecorder
public import Dispatch

/// A rule that code must run on one queue, thread or actor.
///
///     let database = Affinity.queue(databaseQueue)
///     database.expect("writes go through one queue")
public struct Affinity: Sendable {
  enum Home: Sendable {
    case queue(DispatchQueue)
    case thread(ThreadBinding)
    case actor(ActorHome)
    case loop(LoopHome)
  }

  /// The fields that a passing check does not need.
  @usableFromInline
  final class Details: Sendable {
    let home: Home
    let name: String
    let policy: ViolationPolicy?

    init(_ home: Home, name: String, policy: ViolationPolicy?) {
      self.home = home
      self.name = name
      self.policy = policy
    }
  }

  // The libdispatch queue, kept alive by `details`, and stored here so that a check needs a single
  // load.
  @usableFromInline
  nonisolated(unsafe) let queueAddress: UnsafeRawPointer?
  // nil for the main queue's affinity, which is then created without an allocation.
  @usableFromInline
  let details: Details?

  init(_ home: Home, name: String, policy: ViolationPolicy? = nil) {
    details = Details(home, name: name, policy: policy)
    if case .queue(let queue) = home { queueAddress = queue.address } else { queueAddress = nil }
  }

  @inlinable
  init() {
    queueAddress = nil
    details = nil
  }

  /// The main queue, and queues that target it.
  @inlinable
  public static var main: Affinity { Affinity() }

  var home: Home { details?.home ?? .queue(MainQueue.queue) }

  /// The name in reports and in `MAINSTAY_POLICY`: `main`, a queue's label, a thread's name, or a type.
  public var name: String { details?.name ?? "main" }

  /// A queue, and queues that target it.
  public static func queue(_ queue: DispatchQueue) -> Affinity {
    Affinity(.queue(queue), name: queue.label)
  }

  /// The first thread that checks this affinity, until the process ends.
  public static func thread(_ name: String = "thread") -> Affinity {
    thread(name, ThreadBinding())
  }

  /// The first thread that checks this affinity; after `binding` is released, the next thread that checks.
  public static func thread(_ name: String = "thread", _ binding: ThreadBinding) -> Affinity {
    Affinity(.thread(binding), name: name)
  }

  /// An actor's isolation, including its executor.
  public static func actor(_ actor: any Actor) -> Affinity {
    Affinity(.actor(ActorHome(actor)), name: nameOfType(of: actor))
  }

  /// The same affinity with its own policy.
  public func policy(_ policy: ViolationPolicy) -> Affinity {
    Affinity(home, name: name, policy: policy)
  }

  /// True if code of this affinity may run here. Reading this property does not bind a thread.
  public var isCurrent: Bool {
    if let queueAddress { return ms_queue_on(queueAddress) }
    guard let details else { return ms_queue_on_main() }
    switch details.home {
    case .queue(let queue): return ms_queue_on(queue.address)
    case .thread(let home): return home.isCurrent
    case .actor(let home): return home.isCurrent
    case .loop(let home): return home.isCurrent()
    }
  }

  /// Checks that the code may run here; if not, the policy decides what happens.
  ///
  /// - Returns: True if code of this affinity may run here.
  /// - Complexity: If the check passes, O(1) without allocation for queues and threads; `message` is
  ///   then not evaluated.
  @_transparent
  @discardableResult
  public func expect(
    _ message: @autoclosure () -> String = "", file: StaticString = #fileID, line: UInt = #line,
    column: UInt = #column, function: StaticString = #function
  ) -> Bool {
    if isCurrent { return true }
    let holds = bindOrReport(
      message, CallSite(file: file, line: line, column: column, function: function))
    endOfFailedCheck()
    return holds
  }

  /// Requires that the code may run here; if not, prints why and ends the process.
  @_transparent
  public func require(
    _ message: @autoclosure () -> String = "", file: StaticString = #fileID, line: UInt = #line,
    column: UInt = #column, function: StaticString = #function
  ) {
    if isCurrent { return }
    bindOrRefuse(message, CallSite(file: file, line: line, column: column, function: function))
    endOfFailedCheck()
  }
}

extension Affinity {
  @usableFromInline
  @inline(never)
  func bindOrReport(_ message: () -> String, _ site: CallSite) -> Bool {
    bindOrReport(message, site, from: ms_caller())
  }

  func bindOrReport(_ message: () -> String, _ site: CallSite, from caller: UInt) -> Bool {
    if case .thread(let home) = home, home.bind(at: site, from: caller) { return true }
    ViolationReporter.report(failure(from: caller), message: message, site: site)
    return false
  }

  @usableFromInline
  @inline(never)
  func bindOrRefuse(_ message: () -> String, _ site: CallSite) {
    let caller = ms_caller()
    if case .thread(let home) = home, home.bind(at: site, from: caller) { return }
    let failure = failure(from: caller)
    if failure.isCertain { ViolationReporter.refuse(failure, message: message, site: site) }
    // This verdict may be wrong, but the trapping check below is exact: report first, then let that check
    // decide.
    ViolationReporter.foretell(failure, message: message())
    switch home {
    case .queue(let queue): dispatchPrecondition(condition: .onQueue(queue))
    case .actor(let home): home.trapUnlessCurrent()
    case .thread, .loop: break
    }
  }

  private func failure(from caller: UInt) -> CheckFailure {
    var failure = CheckFailure(expected: "\(name) queue", name: name, policy: details?.policy)
    failure.caller = caller
    switch home {
    case .queue:
      if name != "main" { failure.expected = "queue \(name)" }
      failure.isCertain = MainQueue.doubt == nil
    case .thread(let home):
      failure.boundAt = home.boundAt
      failure.expected = failure.boundAt.map { "\(name) (thread \($0.place.threadID))" } ?? name
    case .actor(let home):
      failure.expected = "actor \(name)"
      failure.isCertain = home.isDecidable
    case .loop: failure.expected = name.isEmpty ? "event loop" : "event loop \(name)"
    }
    return failure
  }
}
