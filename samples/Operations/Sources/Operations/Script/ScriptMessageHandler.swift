/// Hears what a script posts.
public protocol ScriptMessageHandler: AnyObject, Sendable {
  /// The script has posted a message, and waits for the return.
  ///
  /// It is called where the script runs: on the engine's own thread.
  func scriptEngine(_ engine: any ScriptRunning, didReceive message: ScriptMessage)
}
