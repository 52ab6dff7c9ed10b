/// Where in its life a process is, as its lifecycle crumbs tell it.
enum LifecyclePhase: String {
  case starting, foreground, active, inactive, background, ending

  /// The phase that begins with a lifecycle crumb of this text; nil where none does.
  init?(beginningWith message: String) {
    switch message {
    case "process started", "did launch": self = .starting
    case "will enter foreground": self = .foreground
    case "did become active": self = .active
    case "will resign active": self = .inactive
    case "did enter background": self = .background
    case "will terminate", "process exited": self = .ending
    default: return nil
    }
  }
}
