import Dispatch
import Foundation
import Synchronization
import Testing
import ThreadAffinity

@Suite("Bursts")
struct HopChannelTests {
  @Test("A burst delivers the newest value, or all at once, and one delivery is pending")
  func bursts() async {
    let latest = Mutex<[[Int]]>([])
    let batch = Mutex<[[Int]]>([])
    let screen = Screen()
    let hop = MainHop(screen)
    let newest = hop.channel(.latest) { _, values in latest.withLock { $0.append(values) } }
    let all = hop.channel(.batch) { _, values in batch.withLock { $0.append(values) } }
    await onMain {
      onThread {
        for number in 1...1000 {
          newest.send(number)
          all.send(number)
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
      let channel: HopChannel<Parcel>
      init(_ number: Int, _ channel: HopChannel<Parcel>) {
        self.number = number
        self.channel = channel
      }
      deinit { if number == 1 { channel.send(Parcel(3, channel)) } }
    }
    let delivered = Mutex<[Int]>([])
    let screen = Screen()
    let channel: HopChannel<Parcel> = MainHop(screen).channel(.latest) { _, parcels in
      delivered.withLock { $0 += parcels.map(\.number) }
    }
    await onMain {
      onThread {
        channel.send(Parcel(1, channel))
        channel.send(Parcel(2, channel))
      }
    }
    await drainMain()
    #expect(delivered.withLock { $0 } == [3])
    withExtendedLifetime(screen) {}
  }
}
