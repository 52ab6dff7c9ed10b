import Dispatch
import Distributed
import ProcessTesting
import Testing

@testable import ThreadAffinity

@Suite("Checks of actors, from inside and outside")
struct ActorCheckTests {
  @Test("An actor's check holds inside it, and outside names it and where the code ran")
  func actor() async throws {
    let ledger = Ledger(), audit = Audit()
    #expect(await ledger.checksItself())
    let caught = Caught()
    let held = await caught.policy.scoped { await audit.checks(ledger) }
    #expect(!held)
    let violation = try #require(caught.violations.first)
    #expect(violation.expected == "actor Ledger")
    #expect(violation.place.actorName == "Audit")
    #expect("\(violation.place)".contains(" on Audit)"))
    #expect(violation.site?.function.description == "checks(_:)")
    #expect(violation.isCertain)
  }

  @Test("Code that no actor isolates is in none, and says so")
  func outside() async throws {
    let caught = Caught()
    let held = await caught.policy.scoped { await checksNowhere() }
    #expect(!held)
    #expect(caught.violations.map(\.expected) == ["an actor's isolation"])
    #expect(caught.violations.map(\.place.actorName) == [nil])
  }

  @Test(
    "A check of the isolation around it needs no actor's name, and goes along where it is passed on"
  )
  func passedOn() async {
    let ledger = Ledger()
    #expect(await ledger.checksIsolation())
    #expect(await ledger.checksIsolationInHelper())
    #expect(await MainActor.run { expectIsolation("rows") })
    #expect(await onImageActor { expectIsolation("pictures") })
    #expect(await isIsolatedThere(ledger))
  }

  @Test(
    "A closure of the main actor's that old code calls elsewhere is caught, though the compiler trusts it"
  )
  func lie() throws {
    let body: @MainActor () -> Bool = { expectIsolation("rows") }
    let lie = unsafeBitCast(body, to: (() -> Bool).self)
    let caught = Caught()
    nonisolated(unsafe) let called = lie
    let held = DispatchQueue(label: "actor.check.elsewhere").sync {
      onThread { caught.policy.scoped { called() } }
    }
    #expect(!held)
    let violation = try #require(caught.violations.first)
    #expect(violation.expected == "actor MainActor")
    #expect(violation.message == "rows")
    #expect(violation.place.actorName == nil)
  }

  @Test("Where the compiler forgets the isolation around, on the right of &&, nobody is accused")
  func autoclosure() async {
    #expect(await Ledger().checksInAutoclosure())
    #expect(await MainActor.run { MainActor.expectIsolated() && expectIsolation("rows") })
  }

  @Test("Global actors are checked by their name")
  func globalActors() async throws {
    #expect(await onImageActor { ImageActor.expectIsolated() })
    #expect(await MainActor.run { MainActor.expectIsolated() })
    let caught = Caught()
    let ledger = Ledger()
    let held = await caught.policy.scoped { await ledger.checksGlobalActors() }
    #expect(held == [false, false])
    #expect(caught.violations.map(\.expected) == ["actor ImageActor", "actor MainActor"])
    #expect(caught.violations.map(\.place.actorName) == ["Ledger", "Ledger"])
  }

  @Test("On the main queue code is on the main actor, whether a task brought it there or not")
  func mainQueue() async {
    let held = await withCheckedContinuation { continuation in
      DispatchQueue.main.async {
        continuation.resume(
          returning: MainActor.expectIsolated() && MainActor.shared.expectIsolated())
      }
    }
    #expect(held)
  }

  @Test("An executor of one's own: exact where it answers, in doubt where it can only trap")
  func customExecutors() async throws {
    let answering = Played(on: AnsweringExecutor()), silent = Played(on: SilentExecutor())
    #expect(await answering.checksItself())
    #expect(await silent.checksItself())
    let caught = Caught()
    caught.policy.scoped {
      #expect(!answering.expectIsolated("certain"))
      #expect(!silent.expectIsolated("in doubt"))
    }
    #expect(
      caught.violations.map(\.expected) == [
        "actor Played<AnsweringExecutor>", "actor Played<SilentExecutor>",
      ])
    #if compiler(>=6.3)
      #expect(caught.violations.map(\.isCertain) == [true, false])
    #endif
    // Outside of tasks the runtime tracks nothing, and the executor itself is asked.
    #if compiler(>=6.3)
      #expect(answering.queue.sync { answering.expectIsolated("on its queue") })
    #endif
    let inside = await caught.policy.scoped { await answering.checks(Ledger()) }
    #expect(!inside)
    #if compiler(>=6.3)
      #expect(caught.violations.last?.place.actorName == "AnsweringExecutor")
    #endif
  }

  @Test("A distributed actor is checked as the local one it is")
  func distributedActor() async throws {
    let system = LocalTestingDistributedActorSystem()
    let branch = Branch(actorSystem: system)
    #expect(try await branch.checksIsolation())
    let caught = Caught()
    let actor = try #require(await branch.whenLocal { $0.asLocalActor })
    caught.policy.scoped { _ = actor.expectIsolated("money") }
    #expect(caught.violations.map(\.expected) == ["actor Branch"])
  }

  @Test(
    "What is required of an actor ends the process elsewhere, with the reason",
    arguments: [
      ("require-actor", "expected actor Vault, ran on queue child.off"),
      ("require-isolation", "expected an actor's isolation, ran on queue child.off"),
      ("require-global-actor", "expected actor MainActor, ran on queue child.off"),
    ])
  func require(scenario: String, reason: String) throws {
    let child = try ChildProcess.run("affinity-child", [scenario])
    #expect(child.signal != 0)
    #expect(child.errors.contains("Fatal error: vaults: \(reason)"))
  }

  @Test("A check that holds costs no message")
  func message() async {
    #expect(await Ledger().checksItself(message: { fatalError("asked for") }))
  }
}

private actor Ledger {
  func checksItself() -> Bool { expectIsolated("entries") && Affinity.actor(self).isCurrent }

  func checksItself(message: @Sendable () -> String) -> Bool { expectIsolated(message()) }

  func checksInAutoclosure() -> Bool { isTrue && expectIsolation("entries") }

  private var isTrue: Bool { true }

  func checksIsolation() -> Bool { expectIsolation("entries") }

  func checksIsolationInHelper() async -> Bool {
    let before = helps()
    await Task.yield()
    return before && helps()
  }

  func checksGlobalActors() -> [Bool] {
    [ImageActor.expectIsolated("pictures"), MainActor.expectIsolated("rows")]
  }
}

private actor Audit {
  func checks(_ ledger: Ledger) -> Bool { ledger.expectIsolated("entries") }
}

@globalActor
private actor ImageActor {
  static let shared = ImageActor()
}

private func helps(isolation: isolated (any Actor)? = #isolation) -> Bool {
  expectIsolation("passed on")
}

private func isIsolatedThere(_ ledger: isolated Ledger) -> Bool { expectIsolation("a parameter") }

@ImageActor
private func onImageActor(_ body: @ImageActor () -> Bool) -> Bool { body() }

private nonisolated func checksNowhere() async -> Bool { expectIsolation("nowhere") }

private actor Played<Executor: SerialExecutor> {
  private let executor: Executor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(on executor: Executor) { self.executor = executor }

  func checksItself() -> Bool { expectIsolated("mine") && expectIsolation("mine") }

  func checks(_ ledger: Ledger) -> Bool { ledger.expectIsolated("another's") }
}

extension Played where Executor == AnsweringExecutor {
  nonisolated var queue: DispatchQueue { executor.queue }
}

private final class AnsweringExecutor: SerialExecutor {
  let queue = DispatchQueue(label: "actor.check.answering")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }

  func isIsolatingCurrentContext() -> Bool? { Affinity.queue(queue).isCurrent }
}

private final class SilentExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "actor.check.silent")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}

private distributed actor Branch {
  typealias ActorSystem = LocalTestingDistributedActorSystem

  distributed func checksIsolation() -> Bool {
    #if compiler(>=6.2)
      expectIsolation("money") && asLocalActor.expectIsolated("money")
    #else
      asLocalActor.expectIsolated("money")
    #endif
  }
}
