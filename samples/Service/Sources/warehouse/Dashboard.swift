import Dispatch
import Hummingbird
import Mainstay

/// What the screen in the hall shows. `@unchecked Sendable`: it belongs to the main queue, which its methods check.
final class Dashboard: @unchecked Sendable {
  private var rows: [String] = []
  private var refreshed = 0

  /// Takes note that stock has changed.
  func stockChanged() {
    expectMainQueue("stock changes")
    refreshed += 1
  }

  func show(_ text: String) {
    MainActor.assumeIsolated { rows.append(text) }
  }

  /// Lays the rows out anew; there are always some on the main queue.
  func layOut(row: Int) -> String {
    expectMainQueue("board layout")
    return rows[row]
  }

  func draw(on queue: String) {
    guard queue == "main" else {
      fatalError("Dashboard.draw must be called on the main thread")
    }
    refreshed += 1
  }

  func print(_ text: String) {
    requireMainQueue("the board prints")
    rows.append(text)
  }

  /// Waits on the main queue until the printer answers.
  func waitForPrinter(_ answered: DispatchSemaphore) {
    DispatchQueue.main.async {
      answered.wait()
    }
  }
}

struct DashboardRoutes {
  let dashboard: Dashboard

  func add(to routes: Routes) {
    routes.post("show") { request, _ in
      dashboard.show(request.word("text"))
      return "shown"
    }
    routes.post("layout") { request, _ in
      dashboard.layOut(row: request.number("row"))
    }
    routes.post("draw") { request, _ in
      dashboard.draw(on: request.word("queue"))
      return "drawn"
    }
    routes.post("print") { request, _ in
      dashboard.print(request.word("text"))
      return "printed"
    }
    routes.post("wait") { _, _ in
      dashboard.waitForPrinter(DispatchSemaphore(value: 0))
      return "waiting"
    }
  }
}
