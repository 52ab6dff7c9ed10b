/// What crumbs of hops, hangs and tasks that wait say.
public enum LogMessage {
  /// A call came to a hop.
  @inlinable public static var arrival: StaticString { "arrival" }
  /// It ran where it belongs.
  @inlinable public static var run: StaticString { "run" }
  /// It was cancelled, or its target was gone.
  @inlinable public static var drop: StaticString { "drop" }
  /// The main queue, in a hang.
  @inlinable public static var doesNotAnswer: StaticString { "does not answer" }
  /// The main queue, after a hang.
  @inlinable public static var answersAgain: StaticString { "answers again" }
  /// How many tasks wait.
  @inlinable public static var tasksWait: StaticString { "tasks wait" }
  /// A place where some of them wait.
  @inlinable public static var waits: StaticString { "waits here" }
  /// One where each of them has waited before.
  @inlinable public static var waitsAgain: StaticString { "waits here again" }
}

/// Categories that tell crumbs of our own from others of their kind.
public enum LogCategory {
  /// An access to something that belongs somewhere.
  @inlinable public static var access: StaticString { "access" }
  /// Tasks that wait.
  @inlinable public static var waiting: StaticString { "waiting" }
}

/// Where a background task is, as its crumbs say under `step`.
package enum TaskStep: String, Sendable {
  case begin, expired, end
}
