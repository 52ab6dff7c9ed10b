import Synchronization

@testable import Operations

/// An engine without a script: what it calls back and when is the test's to say, from wherever it likes.
final class HeldEngine: ScriptRunning {
  typealias Completion = @Sendable (Result<Void, ScriptError>) -> Void

  private struct State {
    weak var handler: (any ScriptMessageHandler)?
    var report: (@Sendable (ScriptError) -> Void)?
    var loads: [Completion] = []
    var calls: [(id: String, completion: Completion)] = []
  }

  private let state = Mutex(State())
  private let loadsAtOnce: Bool

  /// - Parameter loadsAtOnce: Whether each script is there as soon as it is asked for.
  init(loadsAtOnce: Bool = false) { self.loadsAtOnce = loadsAtOnce }

  func add(_ handler: any ScriptMessageHandler, name: String) {
    state.withLock { $0.handler = handler }
  }

  func onException(_ report: @escaping @Sendable (ScriptError) -> Void) {
    state.withLock { $0.report = report }
  }

  func load(_ script: Script, defining required: String, completion: @escaping Completion) {
    if loadsAtOnce { return completion(.success(())) }
    state.withLock { $0.loads.append(completion) }
  }

  func call(_ function: String, _ argument: String, completion: @escaping Completion) {
    state.withLock { $0.calls.append((argument, completion)) }
  }

  // MARK: - What the test says

  /// The ids of the operations that were handed over, in order.
  var started: [String] { state.withLock { $0.calls.map(\.id) } }

  /// How often a script was asked for.
  var loads: Int { state.withLock { $0.loads.count } }

  /// Answers a load, again if it was answered before.
  func load(_ index: Int = 0, _ result: Result<Void, ScriptError> = .success(())) {
    state.withLock { $0.loads[index] }(result)
  }

  /// Answers the call of an operation.
  func answer(_ id: String, _ result: Result<Void, ScriptError>) {
    state.withLock { $0.calls.first { $0.id == id }?.completion }?(result)
  }

  func post(_ message: ScriptMessage) {
    let handler = state.withLock { $0.handler }
    handler?.scriptEngine(self, didReceive: message)
  }

  func `throw`(_ error: ScriptError) { state.withLock { $0.report }?(error) }
}
