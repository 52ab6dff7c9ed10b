/// What crumbs of hops, hangs and tasks that wait say.
public enum LogMessage {
  /// A call came to a hop.
  @inlinable public static var arrival: StaticString { "arrival" }
  /// It ran where it belongs.
  @inlinable public static var run: StaticString { "run" }
  /// It was cancelled, or its target was gone.
  @inlinable public static var drop: StaticString { "drop" }
  /// The main queue, or whatever else is watched, in a hang.
  @inlinable public static var doesNotAnswer: StaticString { "does not answer" }
  /// The same, after a hang.
  @inlinable public static var answersAgain: StaticString { "answers again" }
  /// One more thread that holds what does not answer.
  @inlinable public static var holdsItToo: StaticString { "holds it too" }
  /// Its watch was ended amid the hang.
  @inlinable public static var watchedNoMore: StaticString { "is watched no more" }
  /// How long answers took in a minute.
  @inlinable public static var answers: StaticString { "answers" }
  /// The same of a minute in which one took long.
  @inlinable public static var answersLate: StaticString { "answers late" }
  /// A request to a server, at its two ends.
  @inlinable public static var requestBegins: StaticString { "request begins" }
  /// Its end.
  @inlinable public static var requestEnds: StaticString { "request ends" }
  /// A service of a group, on its way.
  @inlinable public static var serviceBegins: StaticString { "service begins" }
  /// The group asks it to.
  @inlinable public static var serviceIsAskedToEnd: StaticString { "service is asked to end" }
  /// Its task is cancelled.
  @inlinable public static var serviceIsCancelled: StaticString { "service is cancelled" }
  /// Its end, be it by an error.
  @inlinable public static var serviceEnds: StaticString { "service ends" }
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
  /// A call that blocked a thread which others need.
  @inlinable public static var blocking: StaticString { "blocking" }
  /// A call of a toolkit's off the thread that it belongs to.
  @inlinable public static var toolkit: StaticString { "toolkit" }
  /// How such calls get to that thread, by language.
  @inlinable public static var toolkitFix: StaticString { "toolkit fix" }
  /// A request to a server.
  @inlinable public static var request: StaticString { "request" }
  /// A service of a group.
  @inlinable public static var service: StaticString { "service" }
  /// How long answers took.
  @inlinable public static var latency: StaticString { "latency" }
}

/// Where a background task is, as its crumbs say under `step`.
package enum TaskStep: String, Sendable {
  case begin, expired, end
}

/// What is watched and can hang: the category of a hang's crumbs says which it is.
package enum WatchedKind: String, CaseIterable, Sendable {
  case mainQueue = "main queue"
  case pool, queue, actor, loop
}

/// What a thread does that holds what does not answer, as the crumbs of a hang say under `doing`.
package enum HoldersDoing: String, CaseIterable, Sendable {
  /// It sleeps in a call.
  case blocked
  /// It runs.
  case busy
  /// It would run, and gets no processor.
  case starved
}
