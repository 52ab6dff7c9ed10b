/// A step in a process's life that a lifecycle crumb tells of, by the text that the log has for it.
package enum LifecycleStep: CaseIterable, Sendable {
  case processStarted, didLaunch, didBecomeActive, willResignActive, didEnterBackground
  case willEnterForeground, didReceiveMemoryWarning, willTerminate, processExited

  /// What the log says.
  package var text: StaticString {
    switch self {
    case .processStarted: "process started"
    case .didLaunch: "did launch"
    case .didBecomeActive: "did become active"
    case .willResignActive: "will resign active"
    case .didEnterBackground: "did enter background"
    case .willEnterForeground: "will enter foreground"
    case .didReceiveMemoryWarning: "did receive memory warning"
    case .willTerminate: "will terminate"
    case .processExited: "process exited"
    }
  }

  /// The step of this text; nil for an event of somebody's own.
  package init?(_ text: String) {
    guard let step = Self.steps[text] else { return nil }
    self = step
  }

  private static let steps = Dictionary(uniqueKeysWithValues: allCases.map { ("\($0.text)", $0) })
}
