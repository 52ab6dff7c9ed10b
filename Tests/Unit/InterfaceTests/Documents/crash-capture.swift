import Breadcrumbs
import CrashCapture

/// An event loop, to whoever hands it work.
struct EventLoop: Sendable {
  func execute(_ work: @escaping @Sendable () -> Void) {}
}

let eventLoop = EventLoop()

let recorder = try! BreadcrumbRecorder(path: "breadcrumbs.log")
