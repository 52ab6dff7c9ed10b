/// An implicit Core Animation commit on a secondary thread, with no code of the program on the
/// stack.
///
/// Core Animation keeps the changes of each thread in a transaction of that thread. A transaction
/// without an explicit commit is committed when the thread ends, or by the thread's run loop:
/// layout then runs on that thread, long after the code that made the change has returned.
package struct LateCommit: Equatable, Sendable {
  package enum Trigger: Sendable {
    case threadEnd, runLoop
  }

  package let trigger: Trigger
  /// The index of the Core Animation frame that commits. The frames outside it only started the
  /// thread.
  package let frame: Int
  /// True if the commit lays out or draws views, which is allowed only on the main thread.
  package let isLayout: Bool

  /// - Parameter frames: functions and images, innermost first.
  /// - Returns: nil unless the stack shows such a commit off the main thread with certainty.
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

  /// True if the function commits a transaction. Other functions of `CA::Transaction` begin one for
  /// their caller.
  private static func commits(_ name: String) -> Bool {
    let prefix = "CA::Transaction::"
    guard name.hasPrefix(prefix) else { return false }
    let method = name.dropFirst(prefix.utf8.count)
    return !["create", "begin", "ensure", "set_", "add_", "lock", "push", "is_"].contains(
      where: method.hasPrefix)
  }

  /// True if the frame is Core Animation's destructor of a thread's transaction. Without symbols,
  /// the destructor is the frame in QuartzCore that the thread's exit calls.
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

  /// True if the stack starts at an entry function of secondary threads.
  private static func isWorker(_ names: ArraySlice<String>) -> Bool {
    names.suffix(3).contains { name in
      ["start_wqthread", "thread_start", "_pthread_start", "_pthread_wqthread"].contains(
        where: name.hasPrefix)
    }
  }

  /// True if threads of this name may commit: WebKit's threads, and SwiftUI's render threads.
  package static func isByRight(onThread name: String) -> Bool {
    ["WebThread", "com.apple.WebKit.", "com.apple.SwiftUI."].contains(where: name.contains)
  }

  /// True for system functions that may commit off the main thread.
  private static func isOther(_ name: String) -> Bool {
    ["RunWebThread", "AsyncRenderer", "asyncRender", "renderAsync"].contains(where: name.contains)
  }

  private static let layout = [
    "layoutSublayers", "layoutSubviews", "NSISEngine", "_AssertAutoLayoutOnAllowedThreadsOnly",
    "layout_if_needed", "_layoutEngine", "updateConstraints",
  ]
}
