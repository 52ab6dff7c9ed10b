/// The rule that decides whether a breadcrumb contains the stack of the call that recorded it.
public enum StackCapture: Sendable {
  /// Captures a stack for violations, lifecycle events, background tasks, hangs and errors.
  case automatic
  /// Captures the stack.
  case always
  /// Captures no stack.
  case never
}
