import Breadcrumbs
import CCount
import Foundation
import Synchronization

// Counts what recording costs a thread besides its own instructions, and fails unless that is
// nothing: after a thread's first crumb there is no allocation, no lock and no system call, also
// where chunks of the log fill up and are used again.

/// One way to record, and what a hundred thousand times of it asked for.
final class Case: Sendable {
  static let calls = 100_000

  let name: String
  private let call: @Sendable (Int) -> Void
  private let finished = Atomic(false)
  private let refused = Atomic(false)
  private let totals = Mutex((first: count_totals(), warm: count_totals()))

  init(_ name: String, _ call: @escaping @Sendable (Int) -> Void) {
    self.name = name
    self.call = call
  }

  /// Runs on a thread of its own, whose system calls are not carried out once it is warm.
  func run() -> Bool {
    Thread { [self] in count() }.start()
    while !finished.load(ordering: .acquiring) { usleep(1_000) }
    guard !refused.load(ordering: .relaxed) else {
      print("hot path: the kernel does not let this process filter its system calls")
      return false
    }
    let (first, warm) = totals.withLock { $0 }
    let clean = warm.allocations == 0 && warm.locks == 0 && warm.system_calls == 0
    print(
      "hot path: \(name): calls \(Self.calls), allocations \(warm.allocations),",
      "locks \(warm.locks), system calls \(warm.system_calls)",
      warm.system_calls == 0 ? "" : "(the first: \(warm.first_system_call))",
      "[a thread's first: allocations \(first.allocations), locks \(first.locks)]",
      clean ? "" : "FAILED")
    return clean
  }

  /// The first call and all others come from the same instruction, so that their stacks are the
  /// same; an optimizer would unroll the two passes.
  @_optimize(none)
  private func count() {
    var found: [count_totals] = [count_totals(), count_totals()]
    for (pass, calls) in [1, Self.calls].enumerated() {
      if pass == 1 {
        refused.store(!count_system_calls_from_here(), ordering: .relaxed)
      }
      let before = count_here()
      repeatCall(calls)
      found[pass] = count_here() - before
    }
    totals.withLock { $0 = (found[0], found[1]) }
    finished.store(true, ordering: .releasing)
    count_leave()
  }

  @inline(never)
  private func repeatCall(_ calls: Int) {
    for index in 0..<calls { call(index) }
  }
}

private func - (after: count_totals, before: count_totals) -> count_totals {
  count_totals(
    allocations: after.allocations - before.allocations, locks: after.locks - before.locks,
    system_calls: after.system_calls - before.system_calls,
    first_system_call: after.first_system_call)
}

/// Recurses so that the stacks have some depth; each stack's addresses are the same every time.
@inline(never)
func atDepth(_ depth: Int, _ body: () -> Void) {
  if depth == 0 { body() } else { atDepth(depth - 1, body) }
  withExtendedLifetime(depth) {}
}

let path = FileManager.default.temporaryDirectory.appendingPathComponent("hot-path.\(getpid()).log")
let recorder = try BreadcrumbRecorder(path: path.path)
let uuid = UUID()
let long = String(repeating: "a message that is built while the program runs, ", count: 3)

let cases = [
  Case("message") { _ in recorder.record("checkout started") },
  Case("long message") { _ in recorder.record(long) },
  Case("three values") { index in
    recorder.record(
      "payment sent", level: .info, category: "net",
      data: ["id": .integer(index), "ok": true, "peer": "a"])
  },
  Case("plain values") { index in
    recorder.record(
      "payment sent", level: .info, category: "net",
      data: ["id": index, "order": uuid, "hash": UInt64.max, "part": 0.5, "ok": true, "peer": long])
  },
  Case("plain lifecycle") { index in
    recorder.recordLifecycle(
      .didEnterBackground, data: ["peer": long, "open": UInt8(clamping: index)])
  },
  Case("long value") { _ in recorder.record("payment sent", data: ["peer": .string(long)]) },
  Case("error") { _ in recorder.record("payment refused", level: .error, category: "net") },
  Case("error by its name") { _ in recorder.error("payment refused", category: "net") },
  Case("category at run time") { _ in recorder.info("payment sent", category: long) },
  Case("event at run time") { _ in recorder.recordLifecycle(LifecycleEvent(long)) },
  Case("stack") { _ in atDepth(12) { recorder.record("checkout started", stack: .always) } },
  Case("lifecycle") { _ in recorder.recordLifecycle(.didEnterBackground) },
]
let clean = cases.map { $0.run() }
_ = unlink(path.path)
exit(clean.allSatisfy { $0 } ? 0 : 1)
