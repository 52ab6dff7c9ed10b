import Breadcrumbs
import Dispatch
import Glibc
import Synchronization

/// The signal source of a trial.
enum Sources {
  static let fired = Atomic<Int>(0)
  nonisolated(unsafe) static var recorder: BreadcrumbRecorder?
  nonisolated(unsafe) private static var source: (any DispatchSourceSignal)?

  static func listen() {
    let source = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .main)
    source.setEventHandler { fired.add(Int(source.data), ordering: .relaxed) }
    source.activate()
    self.source = source
    usleep(50_000)  // libdispatch begins to listen on a thread of its own
  }
}
