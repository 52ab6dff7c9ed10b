import CProcessTesting
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
}
