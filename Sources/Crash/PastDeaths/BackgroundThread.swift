internal import CRecorder
import Glibc

/// A thread of low priority for work whose end no caller awaits.
enum BackgroundThread {
  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Runs `body` on a new thread; returns false if no thread could be created.
  static func run(_ body: @escaping @Sendable () -> Void) -> Bool {
    let work = Unmanaged.passRetained(Work(body)).toOpaque()
    let isBegun = begin(work)
    if !isBegun { Unmanaged<Work>.fromOpaque(work).release() }
    return isBegun
  }

  private static func begin(_ work: UnsafeMutableRawPointer) -> Bool {
    var thread = pthread_t()
    guard ms_thread_start(&thread, 0, main, work) else { return false }
    pthread_detach(thread)
    return true
  }

  private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
    // On Linux this sets the priority of the calling thread only.
    setpriority(.init(PRIO_PROCESS.rawValue), 0, 10)
    if let work = $0 { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body() }
    return nil
  }
}
