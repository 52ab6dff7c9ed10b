/// Runs a script, one at a time. Whatever it is given, it calls on a thread of its own.
public protocol ScriptRunning: AnyObject, Sendable {
  /// Gives scripts that are loaded from now on `webkit.messageHandlers.NAME`; the handler is held weakly.
  func add(_ handler: any ScriptMessageHandler, name: String)

  /// Sets what is called with what a script's timers throw.
  func onException(_ report: @escaping @Sendable (ScriptError) -> Void)

  /// Drops the script that was there, and evaluates another.
  ///
  /// - Parameter required: A function that it must define.
  func load(
    _ script: Script, defining required: String,
    completion: @escaping @Sendable (Result<Void, ScriptError>) -> Void)

  /// Calls a function of the script.
  func call(
    _ function: String, _ argument: String,
    completion: @escaping @Sendable (Result<Void, ScriptError>) -> Void)
}
