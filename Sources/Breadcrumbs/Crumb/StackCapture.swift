/// Whether a breadcrumb carries the stack that left it.
public enum StackCapture: Sendable {
  /// As its kind has it: violations, lifecycle, background tasks, hangs and errors do, others do not.
  case automatic
  /// It does.
  case always
  /// It does not.
  case never
}
