import ThreadAffinity

/// The fix: brings a script's messages to the main queue, in order, to a handler held weakly.
final class ScriptMessagesOnMain: ScriptMessageHandler {
  private let hop: MainHop<any ScriptMessageHandler>

  init(_ handler: any ScriptMessageHandler) {
    hop = MainHop(handler, "script messages")
  }

  func scriptEngine(_ engine: any ScriptRunning, didReceive message: ScriptMessage) {
    hop.send { $0.scriptEngine(engine, didReceive: message) }
  }
}
