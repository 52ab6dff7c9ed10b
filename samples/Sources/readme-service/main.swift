import Breadcrumbs
import Dispatch
import ThreadAffinity

let recorder = try BreadcrumbRecorder(path: "breadcrumbs.log")

final class Inventory: @unchecked Sendable {  // belongs to the main queue
  private var stock: [String: Int] = [:]

  func received(_ count: Int, of item: String) {
    expectMainQueue("stock changes")  // elsewhere: a line, a crumb with the stack, and on it goes
    stock[item, default: 0] += count
  }
}

let inventory = Inventory()
let deliveries = DispatchQueue(label: "com.example.deliveries")
recorder.recordLifecycle(.didLaunch)
deliveries.async {
  recorder.record("delivery", category: "stock", data: ["item": "bolts", "count": 40])
  DispatchQueue.main.async { inventory.received(40, of: "bolts") }
}
DispatchQueue.main.asyncAfter(deadline: .now() + 0.2) { recorder.close() }
DispatchQueue.main.asyncAfter(deadline: .now() + 0.3) { fatalError("out of bolts") }
dispatchMain()
