import BlockingCalls
import Breadcrumbs
import Dispatch
import Glibc
import ThreadAffinity

let board = Board()
let download = Download()

/// Every way to misbehave, by name.
let ways: [String: Way] = [
  "off-main-ui": offMainUI, "unhopped-callback": unhoppedCallback,
  "observed-callback": observedCallback, "ui-after-background": uiAfterBackground,
  "background-layout": backgroundLayout, "background-crash": backgroundCrash,
  "store-delegate": storeDelegate, "background-task-leak": backgroundTaskLeak,
  "expired-task": expiredTask, "queue-trap": queueTrap, "actor-trap": actorTrap,
  "own-deadlock": ownDeadlock, "sync-deadlock": syncDeadlock, "main-blocked": mainBlocked,
  "blocking-call": blockingCall,
  "affinity-drift": affinityDrift, "hop-storm": hopStorm, "slow-hop": slowHop,
  "late-delivery": lateDelivery, "dropped-delivery": droppedDelivery,
  "leaked-continuation": leakedContinuation, "plain-crash": plainCrash, "toolkit": toolkit,
]

@Sendable func offMainUI(_ isWrong: Bool) {
  let queue = isWrong ? DispatchQueue(label: "com.example.work") : DispatchQueue.main
  queue.async(group: work) {
    board.show(["apples"])
    keepFrame()
  }
  finish()
}

@Sendable func unhoppedCallback(_ isWrong: Bool) {
  download.start { rows in
    if isWrong {
      board.show(rows)
    } else {
      DispatchQueue.main.async { board.show(rows) }
    }
    keepFrame()
  }
  finish()
}

/// A hop that watches only: it knows where the callback was registered.
@Sendable func observedCallback(_ isWrong: Bool) {
  let hop = MainHop(board, "downloads", delivery: isWrong ? .observe : .automatic)
  download.start { rows in
    hop.send { $0.show(rows) }
    keepFrame()
  }
  finish()
}

@Sendable func uiAfterBackground(_ isWrong: Bool) {
  recorder.recordLifecycle(.didEnterBackground)
  DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(30)) {
    if !isWrong { recorder.recordLifecycle(.willEnterForeground) }
    board.show(["apples"])
    finish()
  }
}

/// A background task's download ends after the transition and touches layout off main.
@Sendable func backgroundLayout(_ isWrong: Bool) {
  let task = recorder.beginBackgroundTask("refresh prices", expiringAfter: .seconds(30))
  recorder.recordLifecycle(.didEnterBackground)
  download.start { rows in
    if isWrong { board.show(rows) }
    task.end()
    keepFrame()
  }
  finish()
}

/// The crash whose stack says nothing: the last crumb is the transition.
@Sendable func backgroundCrash(_ isWrong: Bool) {
  if isWrong { beginRefresh() }
  DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(20)) {
    recorder.recordLifecycle(.didEnterBackground)
    DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(50)) { dieElsewhere() }
  }
}

/// Dies on a thread that has no code of ours on its stack.
func dieElsewhere() {
  typealias ThreadBody = @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
  let body = unsafeBitCast(dlsym(nil, "abort"), to: ThreadBody.self)
  var thread = pthread_t()
  pthread_create(&thread, nil, body, nil)
  pause()
}

@inline(never)
func beginRefresh() {
  let task = recorder.beginBackgroundTask("refresh prices", expiringAfter: .seconds(30))
  download.start(after: 60_000) { _ in task.end() }
}

/// A store's delegate, called on the store's own queue, goes on to a session that must be on main.
final class Shop: ProductsRequestDelegate {
  let isWrong: Bool
  let session = LegacySession()

  init(isWrong: Bool) { self.isWrong = isWrong }

  @inline(never)
  func productsRequest(_ request: ProductsRequest, didReceive products: [String]) {
    if isWrong {
      session.confirm(products)
    } else {
      DispatchQueue.main.async { self.session.confirm(products) }
    }
    keepFrame()
  }
}

nonisolated(unsafe) var shop: Shop?
let productsRequest = ProductsRequest()

@Sendable func storeDelegate(_ isWrong: Bool) {
  shop = Shop(isWrong: isWrong)
  productsRequest.delegate = shop
  productsRequest.start()
  finish()
}

@Sendable func backgroundTaskLeak(_ isWrong: Bool) {
  let task = recorder.beginBackgroundTask("upload")
  recorder.recordLifecycle(.didEnterBackground)
  if !isWrong { task.end() }
  finish()
}

@Sendable func leakedContinuation(_ isWrong: Bool) {
  Task.detached { await loadPrices(answers: !isWrong) }
  DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(200)) { finish() }
}

/// Drops its continuation where nobody answers.
@inline(never) private func loadPrices(answers: Bool) async {
  await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
    if answers { continuation.resume() }
  }
}

@Sendable func expiredTask(_ isWrong: Bool) {
  let granted: Duration? = isWrong ? .milliseconds(30) : nil
  let task = recorder.beginBackgroundTask("upload", expiringAfter: granted)
  let end: @Sendable () -> Void = {
    // A tenth of a second is granted to it.
    DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(isWrong ? 150 : 0)) {
      task.end()
      finish()
    }
  }
  if isWrong { whenOnFile("stepexpired", end) } else { end() }
}

@Sendable func queueTrap(_ isWrong: Bool) {
  download.start { rows in
    if isWrong {
      board.showStrictly(rows)
    } else {
      DispatchQueue.main.async { board.showStrictly(rows) }
    }
    keepFrame()
  }
  finish()
}

@Sendable func actorTrap(_ isWrong: Bool) {
  download.start { rows in
    if isWrong {
      board.showIsolated(rows)
    } else {
      DispatchQueue.main.async { board.showIsolated(rows) }
    }
    keepFrame()
  }
  finish()
}

@Sendable func ownDeadlock(_ isWrong: Bool) {
  DispatchQueue.main.async {
    if isWrong {
      DispatchQueue.main.sync { board.show(["apples"]) }
    } else {
      DispatchQueue.main.async { board.show(["apples"]) }
    }
    finish()
  }
}

@Sendable func syncDeadlock(_ isWrong: Bool) {
  let worker = DispatchQueue(label: "com.example.worker")
  let shown = DispatchSemaphore(value: 0)
  DispatchQueue.global().async {
    if isWrong {
      mainThread.untilItWaits()
      workerThread.untilItWaits()
    } else {
      shown.wait()
    }
    kill(getpid(), SIGQUIT)
  }
  DispatchQueue.main.async {
    if isWrong {
      waitForRows(worker)
    } else {
      worker.async {
        DispatchQueue.main.async {
          board.show(["apples"])
          shown.signal()
        }
      }
    }
  }
}

let mainThread = Waiter()
let workerThread = Waiter()

@inline(never)
func waitForRows(_ worker: DispatchQueue) {
  worker.async { showFromWorker() }
  let done = DispatchSemaphore(value: 0)
  worker.async { done.signal() }
  mainThread.waitsNext()
  done.wait()
  keepFrame()
}

@inline(never)
func showFromWorker() {
  workerThread.waitsNext()
  DispatchQueue.main.sync { board.show(["apples"]) }
  keepFrame()
}

@Sendable func mainBlocked(_ isWrong: Bool) {
  DispatchQueue.main.async {
    board.showSlowly(["apples"], for: isWrong ? 300_000 : 1_000)
    finish()
  }
}

@Sendable func blockingCall(_ isWrong: Bool) {
  do { try BlockingCalls.report(to: recorder) } catch { print(error) }
  Task.detached {
    if isWrong {
      readPrices()
    } else {
      try await Task.sleep(for: .milliseconds(40))
    }
    finish()
  }
}

@inline(never)
private func readPrices() {
  usleep(40_000)
  keepFrame()
}

/// What is shown, with every access recorded.
final class Model: @unchecked Sendable {
  @MainQueueBound("rows", recorded: true) var rows: [String] = []
}

let model = Model()

@Sendable func affinityDrift(_ isWrong: Bool) {
  DispatchQueue.main.async { model.rows = ["apples"] }
  download.start { rows in
    if isWrong {
      model.rows = rows
    } else {
      DispatchQueue.main.async { model.rows = rows }
    }
  }
  finish()
}

@Sendable func hopStorm(_ isWrong: Bool) {
  let hop = MainHop(board, "progress")
  download.start { rows in
    let sent = DispatchSemaphore(value: 0)
    DispatchQueue.main.async { sent.wait() }
    for _ in 0..<(isWrong ? 200 : 3) { hop.send { $0.show(rows) } }
    sent.signal()
  }
  finish()
}

@Sendable func slowHop(_ isWrong: Bool) {
  let hop = MainHop(board, "progress")
  download.start { rows in
    DispatchQueue.main.async { usleep(isWrong ? 200_000 : 1_000) }
    hop.send { $0.show(rows) }
  }
  finish()
}

@Sendable func lateDelivery(_ isWrong: Bool) {
  let hop = MainHop(board, "rows")
  DispatchQueue.main.async {
    let sent = DispatchSemaphore(value: 0)
    download.queue.async {
      hop.send { _ in keepFrame() }
      sent.signal()
    }
    sent.wait()
    if isWrong { recorder.recordLifecycle(.didEnterBackground) }
    finish()
  }
}

@Sendable func droppedDelivery(_ isWrong: Bool) {
  let hop = MainHop(board, "rows", delivery: .always)
  DispatchQueue.main.async {
    hop.send { $0.show(["apples"]) }
    if isWrong { hop.cancel() }
    finish()
  }
}

/// A toolkit of somebody's own, which marks nothing.
final class Canvas: Sendable {
  @inline(never)
  func paint() {
    recorder.record("painted", category: "canvas", stack: .always)
    keepFrame()
  }
}

@Sendable func toolkit(_ isWrong: Bool) {
  let queue = isWrong ? DispatchQueue(label: "com.example.work") : DispatchQueue.main
  queue.async(group: work) {
    Canvas().paint()
    keepFrame()
  }
  finish()
}

/// A crash that has nothing to do with threads.
@Sendable func plainCrash(_ isWrong: Bool) {
  DispatchQueue.main.async {
    if isWrong { readPast(["apples"]) }
    exit(0)
  }
}

@inline(never)
func readPast(_ rows: [String]) {
  recorder.record("reading \(rows[rows.count])")
  keepFrame()
}
