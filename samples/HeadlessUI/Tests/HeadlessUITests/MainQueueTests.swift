import AffinityTesting
import Dispatch
import Testing
import ThreadAffinity

@testable import HeadlessUI

/// The verdict is about the main queue, whichever thread serves it.
@Suite struct MainQueueTests {
  @Test(.affinityChecked) func aWorkerInsideMainSyncMayTouchAView() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        DispatchQueue.main.sync { Label().text = "on main" }
        continuation.resume()
      }
    }
  }

  @MainActor
  @Test(.affinityChecked) func aQueueThatTheMainQueueWaitsForMayToo() {
    let label = Label()
    DispatchQueue(label: "test.worker").sync { label.text = "the main queue is held" }
    #expect(label.text == "the main queue is held")
  }

  @Test(.affinityChecked) func aQueueThatTargetsTheMainQueueMayToo() async {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "test.screen", target: .main).async {
        Label().text = "on main"
        continuation.resume()
      }
    }
  }

  @MainActor
  @Test func aComplaintNamesTheAPI() async {
    let label = Label()
    let violations = await expectViolation(of: .main) {
      await withCheckedContinuation { continuation in
        DispatchQueue(label: "test.network").async {
          label.text = "off main"
          continuation.resume()
        }
      }
    }
    let complaint = violations.first.map(MainThreadChecker.complaint(about:)) ?? ""
    #expect(
      complaint.hasPrefix(
        "Main Thread Checker: UI API called on a background thread: write of Label.text\n"))
    #expect(complaint.contains("on queue test.network"))
  }

  @Test func whatIsNoAPIOfTheKitIsNotCalledOne() async {
    let violations = await expectViolation(of: .main) {
      await withCheckedContinuation { continuation in
        DispatchQueue(label: "test.network").async {
          expectMainQueue("prices change")
          continuation.resume()
        }
      }
    }
    let complaint = violations.first.map(MainThreadChecker.complaint(about:)) ?? ""
    #expect(complaint.hasPrefix("prices change: expected main queue, ran on queue test.network"))
  }
}
