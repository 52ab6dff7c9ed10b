import CScriptEngine
import Synchronization

/// What an engine's thread calls back, and whom it means. It lives until that thread has ended.
final class ScriptCallbacks: Sendable {
  typealias Completion = @Sendable (Result<Void, ScriptError>) -> Void

  private struct WeakHandler {
    weak var handler: (any ScriptMessageHandler)?
  }

  private struct State {
    weak var engine: ScriptEngine?
    var handlers: [String: WeakHandler] = [:]
    var completions: [UInt64: Completion] = [:]
    var lastToken: UInt64 = 0
    var report: (@Sendable (ScriptError) -> Void)?
  }

  private let state = Mutex(State())

  func use(_ engine: ScriptEngine) { state.withLock { $0.engine = engine } }

  func add(_ handler: any ScriptMessageHandler, name: String) {
    state.withLock { $0.handlers[name] = WeakHandler(handler: handler) }
  }

  func onException(_ report: @escaping @Sendable (ScriptError) -> Void) {
    state.withLock { $0.report = report }
  }

  /// What stands for a completion until it is called.
  func token(for completion: @escaping Completion) -> UInt64 {
    state.withLock { state in
      state.lastToken += 1
      state.completions[state.lastToken] = completion
      return state.lastToken
    }
  }

  // MARK: - On the engine's thread

  private func posted(_ message: ScriptMessage) {
    let (engine, handler) = state.withLock { state in
      (state.engine, state.handlers[message.handler]?.handler)
    }
    guard let engine, let handler else { return }
    handler.scriptEngine(engine, didReceive: message)
  }

  private func answered(_ token: UInt64, _ result: Result<Void, ScriptError>) {
    state.withLock { $0.completions.removeValue(forKey: token) }?(result)
  }

  private func threw(_ error: ScriptError) { state.withLock { $0.report }?(error) }

  // MARK: - C

  /// Starts an engine that calls this object, and keeps it.
  func startEngine() -> OpaquePointer? {
    let context = Unmanaged.passRetained(self)
    let engine = script_engine_start(
      script_engine_callbacks(
        context: context.toOpaque(),
        posted: { context, handler, body, isText in
          guard let handler, let body else { return }
          ScriptCallbacks.at(context)?.posted(
            ScriptMessage(
              handler: String(cString: handler), body: String(cString: body), isText: isText))
        },
        answered: { context, token, failure in
          ScriptCallbacks.at(context)?.answered(
            token, failure.map { .failure(ScriptError($0.pointee)) } ?? .success(()))
        },
        threw: { context, failure in
          if let failure { ScriptCallbacks.at(context)?.threw(ScriptError(failure.pointee)) }
        },
        ended: { context in
          if let context { Unmanaged<ScriptCallbacks>.fromOpaque(context).release() }
        }))
    if engine == nil { context.release() }
    return engine
  }

  private static func at(_ context: UnsafeMutableRawPointer?) -> ScriptCallbacks? {
    context.map { Unmanaged<ScriptCallbacks>.fromOpaque($0).takeUnretainedValue() }
  }
}

extension ScriptError {
  fileprivate init(_ failure: script_failure) {
    self.init(
      name: String(cString: failure.name), message: String(cString: failure.message),
      file: failure.file.map { String(cString: $0) }, line: Int(failure.line))
  }
}
