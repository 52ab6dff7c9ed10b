import IncidentModel

/// The deliveries that a finding tells of, in the words of a schedule.
package struct ReproSchedule: Sendable {
  package let text: String
  /// What the callback is called.
  package let callback: String

  /// Nil where the finding is of no callback that could be delivered.
  package init?(_ finding: Finding, _ moves: LifecycleMoves) {
    let function = finding.culprit?.function ?? ""
    guard let name = function.isEmpty ? finding.api : function, !name.isEmpty,
      let places = Self.places(of: finding)
    else { return nil }
    let callback = VisibleText(name).string.replacing(";", with: ",")
    self.callback = callback
    text = (moves.words + places.map { "\($0): \(callback)" }).joined(separator: "; ")
  }

  private static func places(of finding: Finding) -> [String]? {
    let place = place(of: finding.queue)
    switch finding.rule {
    case "off-main-ui", "unhopped-callback", "ui-after-background", "isolation-trap": return [place]
    // What came first waits for the main queue; what comes second is on it already.
    case "hop-overtaken": return ["on queue, main busy", "on main, main busy"]
    default: return nil
    }
  }

  private static func place(of queue: String?) -> String {
    switch queue {
    case nil: "on thread"
    case "com.apple.main-thread": "on main"
    case "Swift global concurrent queue": "on task"
    case let label? where label.hasPrefix("com.apple.root."): "on global"
    case _?: "on queue"
    }
  }
}
