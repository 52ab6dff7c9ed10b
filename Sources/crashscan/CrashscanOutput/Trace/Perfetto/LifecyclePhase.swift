import IncidentModel

/// The phase of a process's life, from its lifecycle crumbs.
enum LifecyclePhase: String {
  /// The process runs; no crumb states more.
  case running
  case foreground, active, inactive, background, ending

  /// Returns the phase that a lifecycle crumb with this text starts; nil for other crumbs.
  init?(beginningWith message: String) {
    switch LifecycleStep(message) {
    case .processStarted, .didLaunch: self = .running
    case .willEnterForeground: self = .foreground
    case .didBecomeActive: self = .active
    case .willResignActive: self = .inactive
    case .didEnterBackground: self = .background
    case .willTerminate, .processExited: self = .ending
    case .didReceiveMemoryWarning, nil: return nil
    }
  }
}
