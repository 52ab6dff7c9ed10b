import Dispatch
import Testing

@testable import ThreadAffinity

/// An actor that notes what reaches it, and whether that was inside it.
private actor Ledger {
  private(set) var numbers: [Int] = []

  func note(_ number: Int) { numbers.append(number) }

  nonisolated func noteInside(_ number: Int) {
    assumeIsolated { $0.numbers.append(number) }
  }
}

@Suite("Affinity.async")
struct AffinityAsyncTests {
  /// Comes back when all that was sent to the actor through the affinity so far has run.
  private func drain(_ affinity: Affinity) async {
    await withCheckedContinuation { continuation in
      affinity.async { continuation.resume() }
    }
  }

  @Test("Calls to an actor run inside it, in their order, whatever the senders' priority")
  func order() async {
    let ledger = Ledger()
    let affinity = Affinity.actor(ledger)
    let copy = affinity.policy(.ignore)
    for number in 0..<1000 {
      // Tasks of these priorities would overtake each other.
      let priority: TaskPriority = number % 2 == 0 ? .background : .high
      await Task.detached(priority: priority) {
        (number % 3 == 0 ? copy : affinity).async { ledger.noteInside(number) }
      }.value
    }
    await drain(affinity)
    #expect(await ledger.numbers == Array(0..<1000))
  }

  @Test("A violation inside a call to an actor is traced back to the call")
  func origin() async throws {
    let caught = Caught()
    let ledger = Ledger()
    let affinity = Affinity.actor(ledger)
    let line: UInt = #line + 2
    await offMain {
      affinity.async("ledger") {
        caught.policy.scoped { _ = expectMainQueue("inside the actor") }
      }
    }
    await drain(affinity)
    let violation = try #require(caught.violations.first)
    #expect(violation.origins.map(\.kind) == [.enqueued, .registered])
    #expect(violation.origin?.site.line == line)
    #expect(violation.origin?.place.queueLabel == "tests.off")
  }

  @Test("Nothing runs for an actor that is gone, and what the call holds is let go")
  func dead() async {
    let ran = Tally()
    let live = Ledger()
    let affinity = Affinity.actor(Ledger())
    let ended = Tally()
    send(to: affinity, ran, ended)
    // Another consumer cannot tell when this one is done, so its end is waited for.
    while ended.value == 0 { await drain(.actor(live)) }
    #expect(ran.value == 0)
  }

  @Test("The main actor's calls run on the main queue")
  func mainActor() async {
    let onMain = Tally()
    let affinity = Affinity.actor(MainActor.shared)
    await offMain { affinity.async { onMain.value = MainQueue.isCurrent ? 1 : -1 } }
    await drain(affinity)
    #expect(onMain.value == 1)
  }
}

/// Notices its own end.
private final class Held: Sendable {
  let ended: Tally
  init(_ ended: Tally) { self.ended = ended }
  deinit { ended.value = 1 }
}

/// Sends a call that holds the only reference to something whose end is noticed.
private func send(to affinity: Affinity, _ ran: Tally, _ ended: Tally) {
  let held = Held(ended)
  affinity.async { withExtendedLifetime(held) { ran.value = 1 } }
}
