/// Whether a breadcrumb has the stack that recorded it.
public enum StackCapture: Sendable {
  /// Depends on its kind: violations, lifecycle, background tasks, hangs and errors have one.
  case automatic
  /// It has one.
  case always
  /// It has none.
  case never
}
