import Dispatch
import Foundation
import Synchronization
import Testing
import ThreadAffinity

@Suite("Bursts")
struct CoalescingTests {
  @Test("A burst delivers the newest value, or all at once, and one delivery is pending")
  func bursts() async {
    let latest = Mutex<[[Int]]>([])
    let batch = Mutex<[[Int]]>([])
    let screen = Screen()
    let hop = MainHop(screen)
    let newest = hop.sender(coalescing: .latest) { _, values in
      latest.withLock { $0.append(values) }
    }
    let all = hop.sender(coalescing: .batch) { _, values in batch.withLock { $0.append(values) } }
    await onMain {
      onThread {
        for number in 1...1000 {
          newest(number)
          all(number)
        }
      }
    }
    await drainMain()
    #expect(latest.withLock { $0 } == [[1000]])
    #expect(batch.withLock { $0 } == [Array(1...1000)])
    withExtendedLifetime(screen) {}
  }

  @Test("A value that is overtaken may send at its own end")
  func overtakenSender() async {
    final class Parcel: Sendable {
      let number: Int
      let send: @Sendable (Parcel) -> Void
      init(_ number: Int, _ send: @escaping @Sendable (Parcel) -> Void) {
        self.number = number
        self.send = send
      }
      deinit { if number == 1 { send(Parcel(3, send)) } }
    }
    let delivered = Mutex<[Int]>([])
    let screen = Screen()
    let send: @Sendable (Parcel) -> Void = MainHop(screen).sender(coalescing: .latest) {
      _, parcels in
      delivered.withLock { $0 += parcels.map(\.number) }
    }
    await onMain {
      onThread {
        send(Parcel(1, send))
        send(Parcel(2, send))
      }
    }
    await drainMain()
    #expect(delivered.withLock { $0 } == [3])
    withExtendedLifetime(screen) {}
  }
}
