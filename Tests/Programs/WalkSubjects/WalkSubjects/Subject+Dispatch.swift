import Dispatch

extension Subject {
  static let dispatch: [Subject] = [
    Subject("sync") {
      DispatchQueue(label: "serial").sync { compareWalks("sync") }
      DispatchQueue.global().sync { compareWalks("sync on a global queue") }
    },
    Subject("nested sync") {
      let outer = DispatchQueue(label: "outer")
      let inner = DispatchQueue(label: "inner", target: outer)
      outer.sync { DispatchQueue.global().sync { compareWalks("nested sync") } }
      inner.sync { compareWalks("sync through a target") }
    },
    Subject("async") {
      await withCheckedContinuation { done in
        DispatchQueue(label: "serial").async {
          compareWalks("async")
          done.resume()
        }
      }
    },
    Subject("barrier") {
      let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
      queue.sync(flags: .barrier) { compareWalks("barrier") }
      await withCheckedContinuation { done in
        queue.async(flags: .barrier) {
          compareWalks("an asynchronous barrier")
          done.resume()
        }
      }
    },
    Subject("apply") {
      DispatchQueue.concurrentPerform(iterations: 4) { _ in compareWalks("concurrentPerform") }
    },
    Subject("timer") {
      await withCheckedContinuation { done in
        let timer = DispatchSource.makeTimerSource(queue: .global())
        timer.setEventHandler {
          compareWalks("a timer")
          timer.cancel()
        }
        timer.setCancelHandler {
          compareWalks("a cancel handler")
          done.resume()
        }
        timer.schedule(deadline: .now())
        timer.resume()
      }
    },
    Subject("group and work item") {
      await withCheckedContinuation { done in
        let group = DispatchGroup()
        let work = DispatchWorkItem { compareWalks("a work item") }
        DispatchQueue.global().async(group: group, execute: work)
        group.notify(queue: .global()) {
          compareWalks("notify")
          done.resume()
        }
      }
    },
    Subject("specifics and once") {
      let key = DispatchSpecificKey<Int>()
      let queue = DispatchQueue(label: "specific")
      queue.setSpecific(key: key, value: 1)
      queue.sync { if queue.getSpecific(key: key) != nil { compareWalks("getSpecific") } }
    },
    Subject("main") {
      await withCheckedContinuation { done in
        DispatchQueue.main.async {
          compareWalks("the main queue")
          done.resume()
        }
      }
    },
  ]
}
