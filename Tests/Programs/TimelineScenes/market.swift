import Breadcrumbs
import CrashCapture
import Dispatch
import Glibc
import ThreadAffinity

/// What the market's windows show; belongs to the main queue.
final class Board: @unchecked Sendable {
  private var rows: [String: Int] = [:]

  @inline(never)
  func show(_ price: Int, of name: String) {
    uiWork("row layout") {
      rows[name] = price
      _ = usleep(700)
    }
  }

  @inline(never)
  func layOut() {
    uiWork("board layout") { _ = usleep(6_000) }
  }

  @inline(never)
  func showTotal() {
    expectMainQueue("the total is shown")
    uiWork("total") { rows["total"] = rows.values.reduce(0, +) }
    dispatchPrecondition(condition: .onQueue(.main))
  }
}

let board = Board()
let feed = DispatchQueue(label: "com.example.market.feed")
let orders = DispatchQueue(label: "com.example.market.orders")
let disk = DispatchQueue(label: "com.example.market.disk", attributes: .concurrent)
let ticks = MainHop(board, "price tick")
nonisolated(unsafe) var timer: (any DispatchSourceTimer)?

/// A market's service that is busy on many queues, goes to the background, and dies of a callback.
@Sendable func market() {
  CrashHandler.install(
    recordingTo: recorder, options: CrashOptions(hangThreshold: .milliseconds(90)))
  recorder.recordLifecycle(.didLaunch)
  recorder.recordLifecycle(.didBecomeActive)
  recorder.record("session opened", category: "session", data: ["user": "m.lindqvist", "desk": 4])
  beginFeed()
  beginOrders()
  after(120) { board.layOut() }
  after(260) { board.layOut() }
  after(330) {
    recorder.record("index is rebuilt on the main queue", level: .warning, category: "index")
    uiWork("index rebuild") { _ = usleep(150_000) }
  }
  after(600) { recorder.recordLifecycle(.willResignActive) }
  after(620) { beginBackground() }
}

func beginFeed() {
  let source = DispatchSource.makeTimerSource(queue: feed)
  let names = ["VOLV", "ERIC", "ABB", "SAND", "SKF"]
  nonisolated(unsafe) var count = 0
  source.setEventHandler {
    count += 1
    let (name, price) = (names[count % names.count], 100 + count % 17)
    recorder.record(
      "tick", category: "feed", data: ["name": .string(name), "price": .integer(price)])
    ticks.send { $0.show(price, of: name) }
  }
  source.schedule(deadline: .now() + 0.03, repeating: .milliseconds(12))
  source.activate()
  timer = source
}

func beginOrders() {
  for number in 1...14 {
    orders.asyncAfter(deadline: .now() + .milliseconds(number * 47)) {
      recorder.record(
        "order filled", category: "orders", data: ["order": .integer(7000 + number)])
      for part in 1...3 {
        disk.async {
          recorder.record("page written", category: "disk", data: ["page": .integer(part)])
          usleep(3_000)
        }
      }
      if number == 6 {
        recorder.record("exchange refused the order", level: .error, category: "orders")
        uiWork("order badge") { _ = usleep(9_000) }
      }
    }
  }
}

func beginBackground() {
  let task = recorder.beginBackgroundTask("settle orders", expiringAfter: .seconds(30))
  recorder.recordLifecycle(.didEnterBackground)
  orders.asyncAfter(deadline: .now() + .milliseconds(240)) {
    recorder.record("settled", category: "orders", data: ["count": 14])
    board.showTotal()
    task.end()
  }
}

func after(_ milliseconds: Int, _ body: @escaping @Sendable () -> Void) {
  DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(milliseconds), execute: body)
}
