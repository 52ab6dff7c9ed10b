// A price board that crashes as such services do: it goes to the background, a download that
// was under way then ends, and its callback touches the board on the downloader's own queue.

import Breadcrumbs
import CrashCapture
import Dispatch
import Glibc
import ThreadAffinity

/// Prices, as shown. `@unchecked Sendable`: it belongs to the main queue, which `show` checks.
final class PriceBoard: @unchecked Sendable {
  private var rows: [String] = []

  func show(_ prices: [String: Int]) {
    expectMainQueue("the board is laid out")
    uiWork("board layout") {
      rows = prices.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    }
    dispatchPrecondition(condition: .onQueue(.main))
  }
}

/// Fetches prices and answers on a queue of its own.
final class PriceDownload: Sendable {
  private let queue = DispatchQueue(label: "com.example.prices.download")

  func start(_ completion: @escaping @Sendable ([String: Int]) -> Void) {
    queue.asyncAfter(deadline: .now() + 0.3) { completion(["apples": 120, "pears": 95]) }
  }
}

let path = CommandLine.arguments.dropFirst().first ?? "breadcrumbs.log"
let recorder: BreadcrumbRecorder
do {
  recorder = try BreadcrumbRecorder(path: path)
} catch {
  print("demo-service: \(error)")
  exit(1)
}

CrashHandler.install(recordingTo: recorder)

let board = PriceBoard()
let download = PriceDownload()

recorder.recordLifecycle(.didBecomeActive)
recorder.record("board opened", category: "board", data: ["rows": 0])
let task = recorder.beginBackgroundTask("prices", expiringAfter: .seconds(30))
recorder.record("download started", category: "net", data: ["url": "/prices", "attempt": 1])
download.start { prices in
  recorder.record("download finished", category: "net", data: ["count": .integer(prices.count)])
  board.show(prices)
  task.end()
}
DispatchQueue.main.asyncAfter(deadline: .now() + 0.1) {
  recorder.recordLifecycle(.didEnterBackground)
}
dispatchMain()
