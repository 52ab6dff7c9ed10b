/// A commit of Core Animation's on a thread that is not the main one, with no code of the program's on the stack.
///
/// Core Animation keeps the changes of each thread in a transaction of that thread's. One that nobody commits is
/// committed when its thread ends, or by the thread's run loop: layout then runs there, long after the code that
/// made the change has returned.
package struct LateCommit: Equatable, Sendable {
  package enum Trigger: Sendable {
    case threadEnd, runLoop
  }

  package let trigger: Trigger
  /// The frame of Core Animation's that commits: what is outside of it began the thread, and changed nothing.
  package let frame: Int
  /// Whether views are laid out or drawn in it, which no thread but the main one may do.
  package let isLayout: Bool

  /// - Parameter frames: functions and images, innermost first.
  /// - Returns: nil where the stack shows no such commit off the main thread for certain.
  package init?(_ frames: [(function: String, image: String)]) {
    let names = frames.map(\.function)
    guard !names.contains(where: Self.isOther) else { return nil }
    let end = frames.indices.first { Self.endsThread(frames, at: $0) }
    let commit = end ?? names.firstIndex(where: Self.commits)
    guard let commit else { return nil }
    guard end != nil || Self.isWorker(names[commit...]) else { return nil }
    frame = commit
    trigger = end == nil ? .runLoop : .threadEnd
    isLayout = frames[..<commit].contains { frame in
      Self.layout.contains(where: frame.function.contains)
        || ["UIKit", "UIKitCore", "AppKit", "CoreAutoLayout"].contains(frame.image)
    }
  }

  /// Whether a function commits a transaction: others of it begin one, for the code that calls them.
  private static func commits(_ name: String) -> Bool {
    let prefix = "CA::Transaction::"
    guard name.hasPrefix(prefix) else { return false }
    let method = name.dropFirst(prefix.utf8.count)
    return !["create", "begin", "ensure", "set_", "add_", "lock", "push", "is_"].contains(
      where: method.hasPrefix)
  }

  /// Whether a frame is Core Animation's destructor of a thread's transaction; where symbols are hidden, it is
  /// the one that the end of a thread calls.
  private static func endsThread(_ frames: [(function: String, image: String)], at place: Int)
    -> Bool
  {
    let frame = frames[place]
    if frame.function.hasPrefix("CA::Transaction::release_thread") { return true }
    guard frame.image == "QuartzCore", place + 1 < frames.count else { return false }
    let caller = frames[place + 1]
    return caller.function.hasPrefix("_pthread_tsd_cleanup")
      || caller.function.hasPrefix("_pthread_exit")
      || caller.image == "libsystem_pthread.dylib"
        && !caller.function.hasPrefix("_pthread_wqthread")
        && !caller.function.contains("_start") && !caller.function.hasPrefix("start_wq")
  }

  /// Whether the stack begins where no main thread does.
  private static func isWorker(_ names: ArraySlice<String>) -> Bool {
    names.suffix(3).contains { name in
      ["start_wqthread", "thread_start", "_pthread_start", "_pthread_wqthread"].contains(
        where: name.hasPrefix)
    }
  }

  /// Whether a thread of this name commits by right: WebKit's own, and the one on which SwiftUI renders.
  package static func isByRight(onThread name: String) -> Bool {
    ["WebThread", "com.apple.WebKit.", "com.apple.SwiftUI."].contains(where: name.contains)
  }

  /// Functions of the system's that commit by right.
  private static func isOther(_ name: String) -> Bool {
    ["RunWebThread", "AsyncRenderer", "asyncRender", "renderAsync"].contains(where: name.contains)
  }

  private static let layout = [
    "layoutSublayers", "layoutSubviews", "NSISEngine", "_AssertAutoLayoutOnAllowedThreadsOnly",
    "layout_if_needed", "_layoutEngine", "updateConstraints",
  ]
}
