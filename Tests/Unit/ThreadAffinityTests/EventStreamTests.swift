import Dispatch
import Synchronization
import Testing

@testable import ThreadAffinity

@Suite("Hops whose events are awaited", .timeLimit(.minutes(2)))
struct EventStreamTests {
  @Test("Events come in the order they were sent, on the actor of the loop")
  func order() async {
    let hop = EventStream<Int>("numbers", keeping: .newest(10_000))
    DispatchQueue.global().async {
      for number in 1...1000 { hop.send(number) }
      hop.finish()
    }
    await confirmation("all of them", expectedCount: 1000) { arrived in
      await followOnMain(hop, upTo: 1000) { arrived() }
    }
  }

  @Test("Each of many senders' events come in its own order, and none is lost or comes twice")
  func senders() async {
    let hop = EventStream<(sender: Int, number: Int)>("numbers", keeping: .newest(100_000))
    DispatchQueue.global().async {
      DispatchQueue.concurrentPerform(iterations: 8) { sender in
        for number in 1...2000 { hop.send((sender, number)) }
      }
      hop.finish()
    }
    var last = Array(repeating: 0, count: 8)
    for await (sender, number) in hop.events {
      #expect(number == last[sender] + 1)
      last[sender] = number
    }
    #expect(last == Array(repeating: 2000, count: 8))
  }

  @Test("What there is no room for is dropped and counted: the oldest, or the newest")
  func bounds() async {
    for (buffer, kept) in [(EventBuffer.newest(3), [8, 9, 10]), (.oldest(3), [1, 2, 3])] {
      let hop = EventStream<Int>(keeping: buffer)
      let taken = (1...10).map { hop.send($0) }
      hop.finish()
      #expect(await all(hop) == kept)
      #expect(hop.dropped == 7)
      if case .oldest = buffer {
        #expect(taken == [true, true, true] + Array(repeating: false, count: 7))
      }
    }
  }

  @Test("finish() ends the loop after what was sent; nothing is taken in after it")
  func finish() async {
    let hop = EventStream<Int>()
    hop.send(1)
    hop.finish()
    let late = hop.send(2)
    #expect(!late)
    #expect(await all(hop) == [1])
    #expect(await all(hop) == [])
    #expect(hop.dropped == 0)
  }

  @Test("A hop that nobody has any more ends its loop")
  func forgotten() async {
    var hop: EventStream<Int>? = EventStream()
    let events = hop!.events
    hop!.send(1)
    hop = nil
    var seen: [Int] = []
    for await number in events { seen.append(number) }
    #expect(seen == [1])
  }

  @Test("cancel() ends the loop at once, and what it has not come to is let go")
  func cancel() async {
    let hop = EventStream<Held>()
    let ends = Counter()
    hop.send(Held(ends: ends))
    #expect(ends.count == 0)
    hop.cancel()
    #expect(ends.count == 1)
    for await _ in hop.events { Issue.record("an event after cancel()") }
  }

  @Test("No event begins after cancel(), not even one that was on its way to a loop that waits")
  @MainActor
  func cancelOnTheWay() async {
    for _ in 1...200 {
      let hop = EventStream<Int>()
      let loop = Task { @MainActor in
        var count = 0
        for await _ in hop.events { count += 1 }
        return count
      }
      await Task.yield()
      // The loop is resumed by the event, and cannot go on here before this function waits.
      hop.send(1)
      hop.cancel()
      #expect(await loop.value == 0)
    }
  }

  @Test("A loop whose task is cancelled ends, and leaves later events to the next one")
  func cancelledLoop() async {
    let hop = EventStream<Int>()
    let (began, continuation) = AsyncStream.makeStream(of: Void.self)
    let loop = Task {
      var seen: [Int] = []
      for await number in hop.events {
        seen.append(number)
        continuation.yield()
      }
      return seen
    }
    hop.send(1)
    for await _ in began { break }
    loop.cancel()
    #expect(await loop.value == [1])
    hop.send(2)
    hop.finish()
    #expect(await all(hop) == [2])
  }

  @Test("A task that was cancelled before it asks gets nothing, and takes nothing away")
  func cancelledBefore() async {
    let hop = EventStream<Int>()
    hop.send(1)
    let gate = AsyncStream.makeStream(of: Void.self)
    let loop = Task {
      for await _ in gate.stream {}
      return await all(hop)
    }
    loop.cancel()
    #expect(await loop.value == [])
    hop.finish()
    #expect(await all(hop) == [1])
  }

  @Test("Of two loops each event comes to one")
  func loops() async {
    let hop = EventStream<Int>(keeping: .newest(1000))
    async let first = all(hop)
    async let second = all(hop)
    for number in 1...500 {
      hop.send(number)
      if number % 50 == 0 { await Task.yield() }
    }
    hop.finish()
    #expect(await (first + second).sorted() == Array(1...500))
  }

  @Test("What is not Sendable may be sent away")
  func notSendable() async {
    let hop = EventStream<Held>()
    let held = Held(title: "sent")
    hop.send(held)
    hop.finish()
    for await held in hop.events { #expect(held.title == "sent") }
  }

  private final class Held {
    let title: String
    private let ends: Counter

    init(title: String = "", ends: Counter = Counter()) {
      self.title = title
      self.ends = ends
    }

    deinit { ends.add() }
  }

  private final class Counter: Sendable {
    private let value = Atomic(0)
    var count: Int { value.load(ordering: .relaxed) }
    func add() { value.add(1, ordering: .relaxed) }
  }
}

private func all(_ hop: EventStream<Int>) async -> [Int] {
  var seen: [Int] = []
  for await number in hop.events { seen.append(number) }
  return seen
}

@MainActor
private func followOnMain(
  _ hop: EventStream<Int>, upTo count: Int, _ arrived: () -> Void
) async {
  var last = 0
  for await number in hop.events {
    #expect(number == last + 1)
    #expect(expectIsolation("events") && MainQueue.isCurrent)
    last = number
    arrived()
  }
  #expect(last == count)
}
