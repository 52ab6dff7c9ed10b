import Operations
import Synchronization

/// A script that is broken when it is first asked for.
final class BrokenScript: Sendable {
  private let times = Atomic(0)

  /// The script, as it is now.
  func next() throws(ScriptError) -> Script {
    guard times.add(1, ordering: .relaxed).newValue == 1 else { return try .bundled() }
    return Script(name: "operations.js", text: "window.startOperation = function (id) {")
  }
}
