import Breadcrumbs
import Dispatch
import ThreadAffinity

let recorder = try BreadcrumbRecorder(path: "breadcrumbs.log")

final class Inventory: @unchecked Sendable {  // belongs to the main queue
  private var stock: [String: Int] = [:]

  func received(_ count: Int, of item: String) {
    expectMainQueue("stock changes")  // elsewhere: says so, records who sent it here, goes on
    stock[item, default: 0] += count
  }
}

let inventory = Inventory()
let deliveries = DispatchQueue(label: "com.example.deliveries")

recorder.recordLifecycle(.didLaunch)
deliveries.async {
  recorder.record("delivery", category: "stock", data: ["item": "bolts", "count": 40])
  inventory.received(40, of: "bolts")  // the bug: this is not the main queue
}
dispatchMain()
