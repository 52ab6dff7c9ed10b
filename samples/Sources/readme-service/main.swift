import Breadcrumbs
import CrashCapture
import Foundation
import ThreadAffinity

/// Nil where there is no log to be had: the service runs without one rather than not at all.
func openRecorder() -> BreadcrumbRecorder? {
  // The second path is for a restart during which the run before still writes to the first.
  for path in ["breadcrumbs.log", "breadcrumbs.{pid}.log"] {
    do throws(RecordingError) {
      let recorder = try BreadcrumbRecorder(path: path)
      CrashHandler.install(recordingTo: recorder)  // a crash goes into the log, too
      return recorder
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
    }
  }
  return nil
}

final class Inventory: @unchecked Sendable {  // belongs to the main queue
  private var stock: [String: Int] = [:]

  func received(_ count: Int, of item: String) {
    expectMainQueue("stock changes")  // elsewhere: says so, records who sent it here, goes on
    stock[item, default: 0] += count
  }
}

let recorder = openRecorder()
let inventory = Inventory()
let deliveries = DispatchQueue(label: "com.example.deliveries")

func deliver(_ count: Int, of item: String) {
  deliveries.async {
    recorder?.record("delivery", category: "stock", data: ["item": item, "count": count])
    inventory.received(count, of: item)  // the bug: this is not the main queue
  }
}

recorder?.recordLifecycle(.didLaunch)
deliver(40, of: "bolts")
dispatchMain()
