import Dispatch
import Foundation
import Synchronization
import Testing

@testable import ThreadAffinity

extension Duration {
  /// What is not answered by then is a test that hangs.
  fileprivate static let forEver = Duration.seconds(Int64.max)
}

@Suite("Answers")
struct HopAnswerTests {
  @Test("An answer comes back from the main queue, and at once on it")
  func answers() async {
    let screen = Screen()
    let hop = MainHop(screen)
    let off = await offMain {
      hop.ask(within: .forEver, orElse: -1) { _ in MainQueue.isCurrent ? 1 : 0 }
    }
    #expect(off == 1)
    let patient = await offMain { hop.ask(within: .forEver, orElse: -1) { _ in 3 } }
    #expect(patient == 3)
    let on = await onMain { hop.ask(within: .forEver, orElse: -1) { _ in 2 } }
    #expect(on == 2)
    withExtendedLifetime(screen) {}
  }

  @Test("A late answer is withdrawn, and the wait is a violation")
  func late() async {
    let caught = Caught()
    let screen = Screen()
    let hop = caught.policy.scoped { MainHop(screen, "slow") }
    let answer = await onMain {
      // Main is busy with us: nobody can answer.
      onThread {
        hop.ask(within: .milliseconds(20), orElse: -1) {
          $0.show(1); return 1
        }
      }
    }
    #expect(answer == -1)
    await drainMain()
    #expect(screen.shown == [])
    #expect(caught.violations.map(\.message) == ["“slow” returned no result in time"])
    // No code ran: the place is the caller's.
    #expect(caught.violations.allSatisfy { "\($0)".contains(", the caller ran on ") })
  }

  @Test("No wait for a cancelled hop or a dead target")
  func nobody() async {
    let screen = Mutex<Screen?>(Screen())
    let cancelled = MainHop(screen.withLock { $0! })
    let dead = MainHop(screen.withLock { $0! })
    cancelled.cancel()
    screen.withLock { $0 = nil }
    let answers = await offMain {
      [cancelled, dead].map { $0.ask(within: .forEver, orElse: -1) { _ in 1 } }
    }
    #expect(answers == [-1, -1])
  }

  @Test("A wait that would close a circle is refused at once")
  func circle() async {
    let caught = Caught()
    let screen = Screen()
    let (main, worker) = caught.policy.scoped {
      (
        MainHop(screen, "to main"),
        QueueHop(screen, to: DispatchQueue(label: "tests.worker"), "to worker")
      )
    }
    // Main waits for the worker, whose code asks main.
    let answer = await onMain {
      worker.ask(within: .forEver, orElse: -1) { _ in
        main.ask(within: .forEver, orElse: 7) { _ in 1 }
      }
    }
    #expect(answer == 7)
    #expect(caught.violations.map(\.message) == ["a wait for “to main” would deadlock"])
    withExtendedLifetime(screen) {}
  }

  @Test("Waits both ways that cross no circle are answered")
  func bothWays() async {
    let screen = Screen()
    let main = MainHop(screen)
    let worker = QueueHop(screen, to: DispatchQueue(label: "tests.worker"))
    let sum = await offMain {
      worker.ask(within: .forEver, orElse: -1) { _ in
        main.ask(within: .forEver, orElse: -2) { _ in 1 } + 1
      }
    }
    #expect(sum == 2)
    withExtendedLifetime(screen) {}
  }
}
