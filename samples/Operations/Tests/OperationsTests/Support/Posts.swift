@testable import Operations

/// What a script posts, as text.
enum Posts {
  static func progress(_ id: String, _ percent: Int) -> ScriptMessage {
    ScriptMessage(body: #"{"id":"\#(id)","message":"progress","progress":\#(percent)}"#)
  }

  static func completed(_ id: String, _ state: String = "success") -> ScriptMessage {
    ScriptMessage(body: #"{"id":"\#(id)","message":"completed","state":"\#(state)"}"#)
  }
}
