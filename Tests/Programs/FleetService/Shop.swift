import Breadcrumbs
import Dispatch
import Glibc
import ThreadAffinity

/// What the service does; what goes wrong hangs on the release and on the number of the run alone.
final class Shop: @unchecked Sendable {
  private let release: String
  private let recorder: BreadcrumbRecorder
  private let kibibytes: Int
  private let prices = [3, 5, 8]
  private let orders = DispatchQueue(label: "com.example.orders")
  private var shown = 0

  init(release: String, _ recorder: BreadcrumbRecorder, kibibytes: Int) {
    self.release = release
    self.recorder = recorder
    self.kibibytes = kibibytes
  }

  func serve(_ run: Int) {
    for request in 0..<(20 + run % 7 * 30) {
      recorder.record("request \(request)", category: "http", data: ["run": .integer(run)])
    }
    // Some runs are longer than their log, and so is each whose log is large.
    if run % 17 == 16 || kibibytes > 1024 {
      for line in 0..<(16 * kibibytes) { recorder.record("line \(line) of a long run") }
    }
    if run % 3 == 1 {
      let shown = DispatchSemaphore(value: 0)
      orders.async {
        self.showOrders()
        shown.signal()
      }
      shown.wait()
    }
    switch (release, run % 12) {
    case ("1.0", 2), ("1.0", 8), ("1.1", 2): look(up: prices.count)
    case ("1.1", 5), ("1.2", 5): look(up: -run)
    case ("1.2", 7), ("1.2", 10): pay(run)
    case (_, 11): kill(getpid(), SIGKILL)
    default: exit(0)
    }
  }

  @inline(never)
  private func showOrders() {
    uiWork("order list") { shown += 1 }
  }

  /// Two faults with one culprit.
  @inline(never)
  private func look(up article: Int) {
    precondition(article >= 0, "no article has number \(article)")
    recorder.record("price \(prices[article])")
  }

  @inline(never)
  private func pay(_ run: Int) {
    fatalError("the payment was refused")
  }
}
