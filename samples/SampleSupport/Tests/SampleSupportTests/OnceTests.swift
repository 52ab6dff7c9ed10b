import Dispatch
import SampleSupport
import Synchronization
import Testing

@Suite struct OnceTests {
  @Test func exactlyOneOfManyIsFirst() {
    for _ in 0..<100 {
      let once = Once()
      let firsts = Atomic(0)
      DispatchQueue.concurrentPerform(iterations: 8) { _ in
        if once.take() { firsts.add(1, ordering: .relaxed) }
      }
      #expect(firsts.load(ordering: .relaxed) == 1)
    }
  }

  @Test func aSeedAlwaysGivesTheSameNumbers() {
    var generator = SeededRandom(seed: 0)
    // The first numbers of SplitMix64's reference implementation.
    #expect(generator.next() == 0xE220_A839_7B1D_CDAF)
    #expect(generator.next() == 0x6E78_9E6A_A1B9_65F4)
  }
}
