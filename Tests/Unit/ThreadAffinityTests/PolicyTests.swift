import Dispatch
import Synchronization
import Testing

@testable import ThreadAffinity

/// Violations a test has caused.
final class Caught: Sendable {
  private let list = Mutex<[AffinityViolation]>([])
  var violations: [AffinityViolation] { list.withLock { $0 } }
  var policy: ViolationPolicy {
    .report { violation in self.list.withLock { $0.append(violation) } }
  }
}

private let queue = DispatchQueue(label: "tests.work")

@Suite("Policy")
struct PolicyTests {
  @Test("A call site speaks once, every n-th time, or always")
  func frequency() {
    for (frequency, wanted) in [
      (ViolationPolicy.Frequency.once, [1]), (.every(3), [1, 4, 7]), (.always, Array(1...8)),
    ] {
      // A queue of its own, so that the call site is counted anew.
      let affinity = Affinity.queue(DispatchQueue(label: "frequency.\(frequency)"))
      let caught = Caught()
      caught.policy.repeating(frequency).scoped {
        for _ in 1...8 { affinity.expect() }
      }
      #expect(caught.violations.map(\.occurrence) == wanted)
    }
  }

  @Test("Combined policies do what each does")
  func combination() {
    let first = Caught()
    let second = Caught()
    let combined: ViolationPolicy = [first.policy, second.policy.repeating(.always)]
    combined.scoped {
      for _ in 1...2 { Affinity.queue(queue).expect() }
    }
    #expect(first.violations.count == 2)
    #expect(second.violations.count == 2)
  }

  @Test("An affinity's own policy is stronger than the global one, a scope stronger than both")
  func precedence() {
    let own = Caught()
    let affinity = Affinity.queue(queue).policy(own.policy.repeating(.always))
    affinity.expect()
    #expect(own.violations.count == 1)
    let scope = Caught()
    scope.policy.scoped { _ = affinity.expect() }
    #expect(own.violations.count == 1)
    #expect(scope.violations.count == 1)
  }

  @Test("A scope follows its task over a suspension")
  func scopeOfTask() async {
    let caught = Caught()
    await caught.policy.scoped {
      await Task.yield()
      Affinity.queue(queue).expect("after a suspension")
    }
    #expect(caught.violations.map(\.message) == ["after a suspension"])
  }

  @Test("The words of MAINSTAY_POLICY")
  func grammar() throws {
    let log = try #require(ViolationPolicy(parsing: "log"))
    #expect(log.actions == .log && log.frequency == .once)
    let several = try #require(ViolationPolicy(parsing: " log , record,always"))
    #expect(several.actions == [.log, .record] && several.frequency == .always)
    let often = try #require(ViolationPolicy(parsing: "record,trap,every:7"))
    #expect(often.actions == [.record, .trap] && often.frequency == .every(7))
    #expect(try #require(ViolationPolicy(parsing: "ignore")).isSilent)
    for text in ["logg", "every:0", "every:x", "log;trap", "log trap"] {
      #expect(ViolationPolicy(parsing: text) == nil, "\(text)")
    }
  }

  @Test("The allow-list hides and counts, by function, file and message")
  func allowList() {
    let caught = Caught()
    ViolationAllowList.add(
      .function("hiddenByFunction"), .message("old debt"),
      .file("ThreadAffinityTests/Nowhere.swift"))
    caught.policy.repeating(.always).scoped {
      for _ in 1...3 { hiddenByFunction() }
      Affinity.queue(queue).expect("an old debt, known")
      Affinity.queue(queue).expect("a new one")
    }
    #expect(caught.violations.map(\.message) == ["a new one"])
    #expect(ViolationAllowList.hiddenCounts[.function("hiddenByFunction")] == 3)
    #expect(ViolationAllowList.hiddenCounts[.message("old debt")] == 1)
    #expect(ViolationAllowList.hiddenCounts[.file("ThreadAffinityTests/Nowhere.swift")] == 0)
  }

  @Test("An allowance covers a file by the end of its path, never by a part of a name")
  func files() {
    let site = CallSite()
    #expect(ViolationAllowance.file("PolicyTests.swift").covers(site, message: ""))
    #expect(
      ViolationAllowance.file("ThreadAffinityTests/PolicyTests.swift").covers(site, message: ""))
    #expect(!ViolationAllowance.file("Tests.swift").covers(site, message: ""))
    #expect(ViolationAllowance(parsing: "files").covers(site, message: ""))
    #expect(!ViolationAllowance(parsing: "function:file").covers(site, message: ""))
  }

  @Test("A check that fails inside a report does not report for ever")
  func recursion() {
    let count = Atomic(0)
    let policy = ViolationPolicy.report { _ in
      count.add(1, ordering: .relaxed)
      Affinity.queue(queue).expect("inside a report")
    }
    policy.repeating(.always).scoped { _ = Affinity.queue(queue).expect() }
    let reports = count.load(ordering: .relaxed)
    #expect(reports == 1)
  }

  private func hiddenByFunction() {
    Affinity.queue(queue).expect("by function")
  }
}
