import BenchmarkHarness
import Dispatch
import Foundation
import Synchronization
import ThreadAffinity

/// What a hop costs beside what it replaces: processor time a call, both threads counted, and calls a
/// second, sent from one background thread to a main queue that does nothing else.
///
/// A hop between threads is bimodal (the main queue is awake or asleep), so time on the clock says
/// little for one call: calls are sent in bursts, and waited for.
final class HopBenchmark: Sendable {
  private let target = Target()

  final class Target: Sendable {
    private let count = Atomic(0)
    func note(_ number: Int) { count.add(number, ordering: .relaxed) }
  }

  struct Cost {
    var cpu: [Double] = []
    var clock: [Double] = []
  }

  func run(rounds: Int = 15, calls: Int = 20_000) throws {
    let hop = MainHop(target)
    let subjects: [(String, @Sendable () -> Void)] = [
      ("hop", { hop.send { $0.note(1) } }),
      ("main.async", { [target] in DispatchQueue.main.async { target.note(1) } }),
      (
        "main.async to a weak target",
        { [target] in DispatchQueue.main.async { [weak target] in target?.note(1) } }
      ),
      ("Task @MainActor", { [target] in Task { @MainActor in target.note(1) } }),
    ]
    var costs = [String: Cost]()
    for round in 0...rounds {
      for (name, send) in subjects {
        let (cpu, clock) = HopBenchmark.burst(calls, send)
        if round == 0 { continue }
        costs[name, default: Cost()].cpu.append(cpu)
        costs[name, default: Cost()].clock.append(clock)
      }
    }
    let hops = costs["hop"]!
    for (peer, aim) in [
      ("main.async", 1.2), ("main.async to a weak target", nil), ("Task @MainActor", nil),
    ] as [(String, Double?)] {
      try Row(
        "hop, processor time", ours: hops.cpu, peer: costs[peer]!.cpu, peerName: peer, aim: aim
      )
      .print()
      try Row("hop, time", ours: hops.clock, peer: costs[peer]!.clock, peerName: peer).print()
    }
  }

  /// Nanoseconds a call of processor and clock, for calls sent at once and waited for.
  private static func burst(
    _ calls: Int, _ send: @Sendable () -> Void
  ) -> (cpu: Double, clock: Double) {
    let cpu = processTime()
    let start = DispatchTime.now().uptimeNanoseconds
    for _ in 0..<calls { send() }
    let done = DispatchSemaphore(value: 0)
    DispatchQueue.main.async { done.signal() }
    done.wait()
    let clock = DispatchTime.now().uptimeNanoseconds - start
    return (Double(processTime() - cpu) / Double(calls), Double(clock) / Double(calls))
  }

  private static func processTime() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
