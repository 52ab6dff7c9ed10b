import Dispatch
import Mainstay

final class Inventory: @unchecked Sendable {  // belongs to the main queue
  private var stock: [String: Int] = [:]

  func received(_ count: Int, of item: String) {
    expectMainQueue("stock changes")  // reports a call from another queue, and continues
    stock[item, default: 0] += count
  }
}

// Never fails: without a log it records in memory, and prints the reason.
let recorder = Mainstay.start(release: "1.4.2", environment: "production").recorder
let inventory = Inventory()
let deliveries = DispatchQueue(label: "com.example.deliveries")

func deliver(_ count: Int, of item: String) {
  deliveries.async {
    recorder.record("delivery", category: "stock", data: ["item": item, "count": count])
    inventory.received(count, of: item)  // the bug: this is not the main queue
  }
}

recorder.recordLifecycle(.didLaunch)
deliver(40, of: "bolts")
dispatchMain()
