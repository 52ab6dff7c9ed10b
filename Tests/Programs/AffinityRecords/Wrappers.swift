import Breadcrumbs
import Dispatch
import Foundation
import ThreadAffinity

struct Screen {
  @MainQueueBound("title", recorded: true) var title = ""
}

/// Every wrapper once on the main queue and once off it.
func wrappers(_ recorder: BreadcrumbRecorder) {
  work()
  let done = DispatchSemaphore(value: 0)
  DispatchQueue(label: "records.work").async {
    work()
    done.signal()
  }
  done.wait()
  recorder.close()
}

@inline(never)
func work() {
  uiWork("layout") { _ = usleep(2_000) }
  var screen = Screen()
  screen.title = "new"
  _ = screen.title
  expectMainQueue("rows change")
  _ = assumingMainQueue("badge") { 1 }
}

/// A thread affinity broken by another thread, and a call broken inside a hop.
func origins(_ recorder: BreadcrumbRecorder) {
  let affinity = Affinity.thread("render")
  onThread { bindHere(affinity) }
  onThread { breakThere(affinity) }
  let model = Model()
  let queue = DispatchQueue(label: "records.destination")
  let hop = QueueHop(model, to: queue, "to a queue")
  onThread { sendHere(hop) }
  queue.sync {}
  withExtendedLifetime(model) { recorder.close() }
}

@inline(never)
func bindHere(_ affinity: Affinity) { affinity.expect("binds") }

@inline(never)
func breakThere(_ affinity: Affinity) { affinity.expect("drawn elsewhere") }

@inline(never)
func sendHere(_ hop: QueueHop<Model>) {
  hop.send { _ in expectMainQueue("inside the hop") }
}

private func onThread(_ body: @escaping @Sendable () -> Void) {
  let done = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    body()
    done.signal()
  }
  done.wait()
}
