import CProcessTesting
import Dispatch
import Testing

@testable import AffinityTesting

@Suite struct InterleavingTests {
  @Test(.enabled(if: Interleaving.isPossible)) func aTrapWithoutACauseIsAStep() {
    let calls = Interleaving(stopping: .instruction(StoppingPlace.limit))
    var hasEnded = false
    calls.first {
      #expect(ms_trap_without_a_cause() == 0)
      hasEnded = true
    }
    #expect(hasEnded && calls.counted > 0)
  }

  @Test(.enabled(if: Interleaving.isPossible)) func whatGoesAlongWithWorkIsNotCounted() {
    let queue = DispatchQueue(label: "test.sent")
    func counted() -> UInt32 {
      let calls = Interleaving(stopping: .instruction(StoppingPlace.limit))
      // A queue that is awake takes work in fewer steps than one that is to be woken.
      queue.suspend()
      calls.first { for _ in 0..<3 { queue.async {} } }
      queue.resume()
      queue.sync {}
      return calls.counted
    }
    // The shortest of some: once in a process, or now and then, the libraries have more to do.
    func shortest() -> UInt32 { (0..<5).map { _ in counted() }.min()! }
    let alone = shortest()
    var checked: UInt32 = 0
    expectNoViolations { checked = shortest() }
    // Fewer: the call stood still in what goes along, and never behind it. More: its instructions were counted.
    #expect(checked > alone / 4 * 3 && checked < alone * 2, "\(checked) beside \(alone)")
  }
}
