/// Where an application is in its life.
public enum ApplicationState: Sendable, Hashable {
  case notRunning, active, inactive, background, terminated
}
