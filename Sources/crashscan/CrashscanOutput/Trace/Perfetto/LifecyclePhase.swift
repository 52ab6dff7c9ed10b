import IncidentModel

/// Where in its life a process is, as its lifecycle crumbs tell it.
enum LifecyclePhase: String {
  case starting, foreground, active, inactive, background, ending

  /// The phase that begins with a lifecycle crumb of this text; nil where none does.
  init?(beginningWith message: String) {
    switch LifecycleStep(message) {
    case .processStarted, .didLaunch: self = .starting
    case .willEnterForeground: self = .foreground
    case .didBecomeActive: self = .active
    case .willResignActive: self = .inactive
    case .didEnterBackground: self = .background
    case .willTerminate, .processExited: self = .ending
    case .didReceiveMemoryWarning, nil: return nil
    }
  }
}
