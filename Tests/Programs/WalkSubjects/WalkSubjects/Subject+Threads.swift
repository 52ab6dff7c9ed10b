import Foundation

extension Subject {
  static let threads: [Subject] = [
    Subject("Thread") {
      await withCheckedContinuation { done in
        Thread.detachNewThread {
          compareWalks("a thread")
          done.resume()
        }
      }
    },
    Subject("Operation") {
      await withCheckedContinuation { done in
        let queue = OperationQueue()
        let operation = BlockOperation { compareWalks("an operation") }
        operation.completionBlock = {
          compareWalks("a completion block")
          done.resume()
        }
        queue.addOperation(operation)
      }
    },
    Subject("RunLoop") {
      await withCheckedContinuation { done in
        Thread.detachNewThread {
          let timer = Timer(timeInterval: 0, repeats: false) { _ in
            compareWalks("a run loop's timer")
          }
          RunLoop.current.add(timer, forMode: .default)
          RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.02))
          done.resume()
        }
      }
    },
  ]
}
