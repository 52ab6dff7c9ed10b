import IncidentModel
import Testing

/// Two threads in one function, which is evidence only where memory was found damaged.
@Suite("A second thread in the same function") struct SecondThreadTests {
  private func rules(
    _ signal: Int, _ text: String, _ died: [String], _ stood: [String]
  ) throws -> (rules: Set<String>, evidence: [String]) {
    let run = MadeUpRun(.crash(signal: signal, .certain))
    run.die(
      of: signal, address: signal == 11 ? 1 << 30 : nil, saying: text,
      [run.thread(1, died), run.thread(2, stood)])
    let findings = try run.report().entries.map(\.finding)
    let cause = try #require(findings.first { $0.rule == "crash-cause" })
    return (Set(findings.map(\.rule)), cause.evidence.map(\.text))
  }

  private let store = ["Cache.store(_:)", "Handler.handle(_:)"]

  @Test("A busy handler that unwraps nil is not linked to the others in it")
  func unwrappedNil() throws {
    let found = try rules(
      4, "a.swift:1: Fatal error: Unexpectedly found nil while unwrapping an Optional value", store,
      store)
    #expect(found.rules == ["crash-cause"])
    #expect(!found.evidence.contains { $0.contains("in the same function") })
    #expect(found.evidence.contains("no link between this crash and queues was recorded"))
  }

  @Test("Damaged memory is, and both rules see the same second thread")
  func damagedMemory() throws {
    for (died, stood) in [
      (store, store), (["Cache.grow()"] + store, store), (store, ["Cache.grow()"] + store),
    ] {
      let found = try rules(11, "", died, stood)
      #expect(found.rules == ["crash-cause", "concurrent-access"], "\(died) \(stood)")
      #expect(found.evidence.contains { $0.hasSuffix("was in the same function at that moment") })
    }
  }

  @Test(
    "A thread that waits for the function's lock is kept out",
    arguments: ["libc.so.6!__lll_lock_wait", "libc.so.6!pthread_mutex_lock@@GLIBC_2.2.5"])
  func waitsForLock(_ wait: String) throws {
    let found = try rules(11, "", store, [wait] + store)
    #expect(found.rules == ["crash-cause"])
    #expect(!found.evidence.contains { $0.contains("in the same function") })
  }

  @Test("So is a dictionary that holds a key twice")
  func duplicateKeys() throws {
    let text = "a.swift:1: Fatal error: Duplicate keys of type 'Int' were found in a Dictionary."
    let found = try rules(4, text, store, store)
    #expect(found.rules == ["crash-cause", "concurrent-access"])
  }

  @Test("A function that both came through on their ways to others is not where they were")
  func sameWay() throws {
    let found = try rules(11, "", store, ["Handler.handle(_:)"])
    #expect(found.rules == ["crash-cause"])
    #expect(!found.evidence.contains { $0.contains("in the same function") })
  }
}
