import CScriptEngine

/// Runs scripts by JavaScriptCore, on a thread of its own, with timers.
///
/// The thread ends when the engine is let go of, after what was asked for until then.
public final class ScriptEngine: ScriptRunning {
  private let callbacks: ScriptCallbacks
  /// Nil where the system had no thread for it. What it is asked for may be asked from any thread.
  private nonisolated(unsafe) let engine: OpaquePointer?

  /// Starts the engine's thread.
  public init() {
    let callbacks = ScriptCallbacks()
    self.callbacks = callbacks
    engine = callbacks.startEngine()
    callbacks.use(self)
  }

  deinit { if let engine { script_engine_stop(engine) } }

  /// Gives scripts that are loaded from now on a message handler, which is held weakly.
  public func add(_ handler: any ScriptMessageHandler, name: String) {
    callbacks.add(handler, name: name)
    if let engine { script_engine_add_handler(engine, name) }
  }

  /// Sets what is called with what timers throw; one at a time.
  public func onException(_ report: @escaping @Sendable (ScriptError) -> Void) {
    callbacks.onException(report)
  }

  /// Evaluates a script in a context of its own, and answers on the engine's thread.
  public func load(
    _ script: Script, defining required: String,
    completion: @escaping @Sendable (Result<Void, ScriptError>) -> Void
  ) {
    guard let engine else { return completion(.failure(Self.noThread)) }
    let token = callbacks.token(for: completion)
    var text = script.text
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { text in
        script_engine_load(engine, text.baseAddress, text.count, script.name, required, token)
      }
    }
  }

  /// Calls a function of the script that was loaded last, and answers on the engine's thread.
  public func call(
    _ function: String, _ argument: String,
    completion: @escaping @Sendable (Result<Void, ScriptError>) -> Void
  ) {
    guard let engine else { return completion(.failure(Self.noThread)) }
    script_engine_call(engine, function, argument, callbacks.token(for: completion))
  }

  private static let noThread = ScriptError(message: "there is no thread for the script")
}
