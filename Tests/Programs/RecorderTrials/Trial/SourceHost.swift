import Breadcrumbs
import Dispatch
import Glibc

/// A host that does what it is told with sources of one signal, in the order it is told.
final class SourceHost: @unchecked Sendable {
  private let signal: Int32
  private let path: String
  private let kind: String
  private let queue = DispatchQueue(label: "signals")
  private var sources: [any DispatchSourceSignal] = []
  private(set) var recorder: BreadcrumbRecorder?

  init(signal: Int32, path: String, recorder kind: String) {
    self.signal = signal
    self.path = path
    self.kind = kind
  }

  /// One step: `open` and `close` the recorder; `adapt` it, as adapters do; `ignore` the signal, as services do first; `make`,
  /// `activate` and `cancel` the latest source.
  func take(_ step: String) {
    switch step {
    case "open": recorder = open()
    case "close":
      recorder?.close()
      recorder = nil
    case "adapt": recorder?.recordWaitedSignals()
    case "ignore": Glibc.signal(signal, SIG_IGN)
    case "make": sources.append(make())
    case "activate":
      waitFor {
        sources.last?.setRegistrationHandler(handler: $0)
      } after: {
        $0.resume()
      }
    case "cancel":
      waitFor {
        sources.last?.setCancelHandler(handler: $0)
      } after: {
        $0.cancel()
      }
      sources.removeLast()
    default: preconditionFailure("no such step: \(step)")
    }
  }

  private func open() -> BreadcrumbRecorder? {
    switch kind {
    case "without": nil
    case "with": Trials.recorder(path)
    default: Trials.recorder(path, automatic: .standard)
    }
  }

  private func make() -> any DispatchSourceSignal {
    let source = DispatchSource.makeSignalSource(signal: signal, queue: queue)
    source.setEventHandler { [self] in
      if kind == "told" { recorder?.recordTermination(signal: signal) }
      print("fired")
    }
    return source
  }

  private func waitFor(
    _ set: (@escaping @Sendable () -> Void) -> Void, after act: (any DispatchSourceSignal) -> Void
  ) {
    let done = DispatchSemaphore(value: 0)
    set { done.signal() }
    if let source = sources.last { act(source) }
    done.wait()
  }
}
