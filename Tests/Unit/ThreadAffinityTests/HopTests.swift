import Dispatch
import Foundation
import Synchronization
import Testing

@testable import ThreadAffinity

/// A target that notes what reaches it.
final class Screen: Sendable {
  private let list = Mutex<[Int]>([])
  var shown: [Int] { list.withLock { $0 } }
  func show(_ number: Int) { list.withLock { $0.append(number) } }
}

/// A number that several threads may set.
final class Tally: Sendable {
  private let number = Atomic(0)
  var value: Int {
    get { number.load(ordering: .relaxed) }
    set { number.store(newValue, ordering: .relaxed) }
  }
}

/// Lets everything that was enqueued on the main queue so far run.
func drainMain() async {
  await withCheckedContinuation { continuation in
    DispatchQueue.main.async { continuation.resume() }
  }
}

/// Runs `body` on a queue that is not the main one.
func offMain<T: Sendable>(_ body: @escaping @Sendable () -> T) async -> T {
  await withCheckedContinuation { continuation in
    DispatchQueue(label: "tests.off").async { continuation.resume(returning: body()) }
  }
}

/// Runs `body` on the main queue.
func onMain<T: Sendable>(_ body: @escaping @Sendable () -> T) async -> T {
  await withCheckedContinuation { continuation in
    DispatchQueue.main.async { continuation.resume(returning: body()) }
  }
}

@Suite("Hops")
struct HopTests {
  @Test("A call from elsewhere runs on the main queue")
  func arrives() async {
    let screen = Screen()
    let hop = MainHop(screen)
    let wasOnMain = Tally()
    await offMain { hop.send { $0.show(1) } }
    await withCheckedContinuation { continuation in
      hop.send { _ in
        wasOnMain.value = MainQueue.isCurrent ? 1 : 0
        continuation.resume()
      }
    }
    #expect(wasOnMain.value == 1)
    #expect(screen.shown == [1])
  }

  @Test("On the main queue, with nothing pending, a call runs at once; .always enqueues it")
  func inline() async {
    let screen = Screen()
    let hop = MainHop(screen)
    let enqueuing = MainHop(screen, delivery: .always)
    let shown = await onMain {
      hop.send { $0.show(1) }
      enqueuing.send { $0.show(3) }
      screen.show(2)
      return screen.shown
    }
    #expect(shown == [1, 2])
    await drainMain()
    #expect(screen.shown == [1, 2, 3])
  }

  @Test("An event of the main queue does not overtake an earlier one from elsewhere")
  func orderKept() async {
    let screen = Screen()
    let hop = MainHop(screen)
    await onMain {
      // From elsewhere, and done before this goes on; main is busy with us meanwhile.
      DispatchQueue(label: "tests.background").sync {
        onThread { hop.send { $0.show(1) } }
      }
      hop.send { $0.show(2) }
    }
    await drainMain()
    #expect(screen.shown == [1, 2])
  }

  @Test("A call made inside a delivery runs at once, as a direct call would")
  func reentry() async {
    let screen = Screen()
    let hop = MainHop(screen)
    await offMain {
      hop.send { screen in
        screen.show(1)
        hop.send { $0.show(2) }
        screen.show(3)
      }
    }
    await drainMain()
    #expect(screen.shown == [1, 2, 3])
  }

  @Test("Hops through several hops keep their order")
  func nested() async {
    let screen = Screen()
    let outer = MainHop(screen)
    let inner = MainHop(screen, delivery: .always)
    await offMain {
      for number in 1...100 {
        outer.send { _ in inner.send { $0.show(number) } }
      }
    }
    await drainMain()
    await drainMain()
    #expect(screen.shown == Array(1...100))
  }

  @Test("10,000 calls from 8 threads all run, those of each thread in its order")
  func storm() async {
    let screen = Screen()
    let hop = MainHop(screen)
    await offMain {
      DispatchQueue.concurrentPerform(iterations: 8) { thread in
        for number in 0..<1250 { hop.send { $0.show(thread * 10_000 + number) } }
      }
    }
    await drainMain()
    #expect(screen.shown.count == 10_000)
    for thread in 0..<8 {
      let own = screen.shown.filter { $0 / 10_000 == thread }
      #expect(own == own.sorted() && own.count == 1250)
    }
  }

  @Test("Nothing is delivered to a target that died between enqueue and run")
  func deadTarget() async {
    let delivered = Tally()
    await onMain {
      var screen: Screen? = Screen()
      let hop = MainHop(screen!)
      onThread { hop.send { _ in delivered.value += 1 } }
      let isGone = { [weak screen] in screen == nil }
      screen = nil
      #expect(isGone())
    }
    await drainMain()
    #expect(delivered.value == 0)
  }

  @Test("No call begins after cancel returned, from wherever it is called")
  func cancel() async {
    for round in 0..<50 {
      let screen = Screen()
      let hop = MainHop(screen)
      await onMain {
        onThread { for number in 1...10 { hop.send { $0.show(number) } } }
        if round % 2 == 0 { hop.cancel() } else { onThread { hop.cancel() } }
        hop.send { $0.show(99) }
      }
      await drainMain()
      #expect(screen.shown == [])
    }
  }

  @Test("What a call holds is let go on the main queue: run, cancelled, or without a target")
  func captured() async {
    for end in ["run", "cancelled", "dead", "cancelled before"] {
      let wasOnMain = Tally()
      await onMain {
        var screen: Screen? = Screen()
        let hop = MainHop(screen!)
        if end == "cancelled before" { hop.cancel() }
        // Main is busy with us, so that only the hop still holds the call when it comes to it.
        onThread { send(through: hop) { wasOnMain.value = MainQueue.isCurrent ? 1 : -1 } }
        if end == "cancelled" { hop.cancel() }
        if end == "dead" { screen = nil }
        DispatchQueue.main.async { withExtendedLifetime(screen) {} }
      }
      await drainMain()
      #expect(wasOnMain.value == 1, "\(end)")
    }
  }

  @Test("A queue is as good a destination as the main one")
  func queue() async {
    let queue = DispatchQueue(label: "tests.destination")
    let screen = Screen()
    let hop = QueueHop(screen, to: queue)
    await offMain { for number in 1...100 { hop.send { $0.show(number) } } }
    queue.sync { hop.send { $0.show(101) } }
    #expect(screen.shown == Array(1...101))
  }

  @Test("An actor gets its calls inside it, in order, until it is gone or the hop is cancelled")
  func actor() async {
    let counter = Counter()
    let hop = ActorHop(counter, "to actor")
    let cancelled = ActorHop(counter)
    await offMain {
      for number in 1...1000 { hop.send { $0.count(number) } }
      cancelled.cancel()
      cancelled.send { $0.count(-1) }
    }
    await withCheckedContinuation { continuation in hop.send { _ in continuation.resume() } }
    #expect(await counter.numbers == Array(1...1000))
    #expect(await counter.wasAlwaysInside)
    let delivered = Tally()
    let dead = ActorHop(Counter())
    dead.send { _ in delivered.value = 1 }
    await withCheckedContinuation { continuation in hop.send { _ in continuation.resume() } }
    #expect(delivered.value == 0)
  }

  @Test("A wrapped completion takes any number of arguments to the main queue")
  func completion() async {
    let screen = Screen()
    final class Image {}  // not Sendable
    let none = hop { screen.show(MainQueue.isCurrent ? 0 : -1) }
    let two: @Sendable (Int, Image?) -> Void = hop { number, image in
      screen.show(MainQueue.isCurrent && image == nil ? number : -1)
    }
    let four: @Sendable (Int, Int, Int, Int) -> Void = hop { screen.show($0 + $1 + $2 + $3) }
    await offMain {
      none()
      two(1, nil)
      four(1, 1, 1, 1)
    }
    await drainMain()
    #expect(screen.shown == [0, 1, 4])
  }

  @Test("An observing hop delivers in place, and says who registered and where it arrived")
  func observe() async throws {
    let caught = Caught()
    let screen = Screen()
    let hop = caught.policy.scoped { MainHop(screen, "progress", delivery: .observe) }
    let place = await offMain {
      hop.send { $0.show(MainQueue.isCurrent ? 1 : 0) }
      return ExecutionPlace.current
    }
    #expect(screen.shown == [0])
    let violation = try #require(caught.violations.first)
    #expect(violation.message == "callback of progress")
    #expect(violation.place.queueLabel == "tests.off")
    #expect(violation.origins.map(\.kind) == [.enqueued, .registered])
    #expect(violation.origins[0].place.threadID == place.threadID)
    #expect(violation.origins[1].site.function.description == "observe()")
    await onMain { hop.send { $0.show(2) } }
    #expect(caught.violations.count == 1)
  }

  @Test("A violation inside a delivery is traced back to where the call came from")
  func origin() throws {
    let caught = Caught()
    let queue = DispatchQueue(label: "tests.wrong")
    let line: UInt = #line + 2
    caught.policy.scoped {
      Affinity.queue(queue).async("work") {
        caught.policy.scoped { _ = expectMainQueue("deep inside") }
      }
    }
    queue.sync {}
    let violation = try #require(caught.violations.first)
    #expect(violation.origin?.kind == .enqueued)
    #expect(violation.origin?.site.line == line)
    #expect(violation.place.queueLabel == "tests.wrong")
  }
}

private actor Counter {
  var numbers: [Int] = []
  var wasAlwaysInside = true

  func count(_ number: Int) {
    numbers.append(number)
    wasAlwaysInside = wasAlwaysInside && Affinity.actor(self).isCurrent
  }
}

/// Notices its own end.
private final class View: Sendable {
  let deinitialised: @Sendable () -> Void
  init(_ deinitialised: @escaping @Sendable () -> Void) { self.deinitialised = deinitialised }
  deinit { deinitialised() }
}

/// Sends a call that holds the only reference to something whose end `deinitialised` notices.
private func send(
  through hop: MainHop<Screen>, _ deinitialised: @escaping @Sendable () -> Void
) {
  let view = View(deinitialised)
  hop.send { _ in withExtendedLifetime(view) {} }
}
