import CTruth
import Dispatch
import Foundation

/// Keeps what must live as long as the process.
private func keep(_ object: Any) {
  _ = Unmanaged.passRetained(object as AnyObject)
}

extension Context {
  /// Sources, timers, run loops, operation queues and notifications.
  static let sourcesAndLoops: [Context] = [
    Context("DispatchSource timer on main", .main) { startTimer(on: .main) },
    Context("DispatchSource timer on q1", .elsewhere) { startTimer(on: Queues.q1) },
    Context("DispatchSource signal on main", .main) {
      signal(SIGUSR2, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: SIGUSR2, queue: .main)
      source.setEventHandler { probe() }
      source.setRegistrationHandler { kill(getpid(), SIGUSR2) }
      source.activate()
      keep(source)
    },
    Context("DispatchSource data-add on qT", .main) {
      let source = DispatchSource.makeUserDataAddSource(queue: Queues.toMain)
      source.setEventHandler { probe() }
      source.activate()
      keep(source)
      source.add(data: 1)
    },
    Context("Foundation Timer on RunLoop.main", .main, mainRunLoop: true) {
      RunLoop.main.add(
        Timer(timeInterval: 0.005, repeats: false) { _ in probe() }, forMode: .default)
    },
    Context("RunLoop.main.perform", .main, mainRunLoop: true) {
      RunLoop.main.perform { probe() }
    },
    Context("Thread with own RunLoop Timer", .elsewhere) {
      thread {
        RunLoop.current.add(
          Timer(timeInterval: 0.005, repeats: false) { _ in probe() }, forMode: .default)
        runLoopBriefly()
      }
    },
    Context("OperationQueue.main", .main) { OperationQueue.main.addOperation { probe() } },
    Context("OperationQueue()", .elsewhere) {
      let queue = OperationQueue()
      keep(queue)
      queue.addOperation { probe() }
    },
    Context("OperationQueue underlying q1", .elsewhere) {
      let queue = OperationQueue()
      queue.underlyingQueue = Queues.q1
      keep(queue)
      queue.addOperation { probe() }
    },
    Context("main.async{nested RunLoop{main.async}}", .main) {
      DispatchQueue.main.async {
        DispatchQueue.main.async { probe() }
        runLoopBriefly()
      }
    },
    Context("main.async{q1.sync{nested RunLoop{main.async}}}", .main) {
      DispatchQueue.main.async {
        DispatchQueue.main.async { probe() }
        Queues.q1.sync { runLoopBriefly() }
      }
    },
    Context("main.async{qC.sync{nested RunLoop{main.async}}}", .main) {
      DispatchQueue.main.async {
        DispatchQueue.main.async { probe() }
        Queues.concurrent.sync { runLoopBriefly() }
      }
    },
    Context("NotificationCenter post from q1, queue nil", .elsewhere) { postFromQ1(to: nil) },
    Context("NotificationCenter post from q1, queue main", .main) { postFromQ1(to: .main) },
  ]
}

private func startTimer(on queue: DispatchQueue) {
  let timer = DispatchSource.makeTimerSource(queue: queue)
  timer.schedule(deadline: .now() + .milliseconds(5))
  timer.setEventHandler { probe() }
  timer.activate()
  keep(timer)
}

private func postFromQ1(to queue: OperationQueue?) {
  let name = Notification.Name("truth")
  let token = NotificationCenter.default.addObserver(forName: name, object: nil, queue: queue) {
    _ in
    probe()
  }
  keep(token)
  Queues.q1.async { NotificationCenter.default.post(name: name, object: nil) }
}
