import Breadcrumbs
import Dispatch
import Glibc
import ThreadAffinity

/// A hundred thousand crumbs of many queues, with hops, UI work and a few violations among them.
@Sendable func crowd() {
  let queues = (1...20).map { DispatchQueue(label: "com.example.worker.\($0)") }
  let hop = MainHop(recorder, "progress")
  recorder.recordLifecycle(.didBecomeActive)
  let group = DispatchGroup()
  for (place, queue) in queues.enumerated() {
    queue.async(group: group) {
      for round in 0..<4_700 {
        recorder.record(
          "request \(place)-\(round) served", category: "http",
          data: [
            "status": 200, "path": .string("/items/\(round % 97)"),
            "bytes": .integer(round * 31),
          ])
        if round % 50 == 0 { hop.send { _ in uiWork("progress bar") {} } }
        if round % 1_900 == 700 { expectMainQueue("the list is sorted") }
        if round % 16 == 0 { _ = usleep(120) }
      }
    }
  }
  DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(150)) {
    recorder.recordLifecycle(.didEnterBackground)
  }
  group.notify(queue: .main) {
    recorder.recordLifecycle(.willEnterForeground)
    exit(0)
  }
}
