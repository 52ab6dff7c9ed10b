import BreadcrumbNotifications
import Breadcrumbs
import CrashCapture
import Foundation
import ThreadAffinity

// Leaves one crumb of each kind in the log that is named, and crashes.

final class Board: @unchecked Sendable {
  private var rows: [String] = []
  func show(_ row: String) {
    expectMainQueue("the board changes")
    rows.append(row)
  }
}

actor Counter {
  private var count = 0
  func add(_ more: Int) { count += more }
}

let recorder = try BreadcrumbRecorder(path: CommandLine.arguments[1])
CrashHandler.install(recordingTo: recorder)
let notifications = recorder.recordNotifications(named: [.init("restocked")])
NotificationCenter.default.post(name: .init("restocked"), object: nil)

let (item, count, id) = ("bolts", 40, UUID())
recorder.recordLifecycle(.didLaunch, data: ["item": item])
recorder.record("delivery", category: "stock", data: ["item": item, "count": count, "id": id])
recorder.record("delivery", category: "stock", data: ["item": .string(item), "count": 41])
recorder.record("refused", level: .error)
recorder.beginBackgroundTask("count").end()

let board = Board()
let counter = Counter()
let byMain = MainHop(board)
let byActor = ActorHop(counter)
let done = DispatchSemaphore(value: 0)
DispatchQueue(label: "com.example.deliveries").async {
  board.show("off the main queue")
  byMain.send { $0.show("on it") }
  byActor.send { $0.assumeIsolated { _ = $0 } }
  done.signal()
}
done.wait()

Task { @MainActor in
  await counter.add(1)
  recorder.record("in a task")
  let rows: [Int] = []
  print(rows[count])  // the crash
}
dispatchMain()
