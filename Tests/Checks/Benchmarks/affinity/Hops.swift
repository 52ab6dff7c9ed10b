import BenchmarkHarness
import Breadcrumbs
import Dispatch
import Foundation
import Synchronization
import ThreadAffinity

/// Compares the cost of a hop with that of the calls that it replaces: processor time of both threads and elapsed time
/// per call, from one background thread to a main queue without other work.
///
/// The elapsed time of a single hop is bimodal (the main queue is awake or asleep), so the benchmark sends hops in
/// bursts and waits for each burst.
final class HopBenchmark: Sendable {
  private let target = Target()
  private let rounds = Settings.rounds(15)
  private let calls = 20_000

  final class Target: Sendable {
    private let count = Atomic(0)
    func note(_ number: Int) { count.add(number, ordering: .relaxed) }
  }

  struct Cost {
    var cpu: [Double] = []
    var clock: [Double] = []
  }

  func run() throws {
    try compare("hop", MainHop(target), aim: 1.2)
    // While a recorder is open, it records every hop of the process.
    let directory = "\(FileManager.default.currentDirectoryPath)/hops"
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true)
    let recorder = try BreadcrumbRecorder(path: "\(directory)/breadcrumbs.log")
    try compare("recorded hop", MainHop(target), aim: 1.5)
    recorder.close()
    // The next recorder that opens replaces the closed one.
    let brief = try BreadcrumbRecorder(
      path: "\(directory)/breadcrumbs.log", automatic: .all.subtracting(.hopStacks))
    try compare("recorded hop without its stack", MainHop(target), aim: 1.5)
    brief.close()
    try FileManager.default.removeItem(atPath: directory)
  }

  private func compare(_ name: String, _ hop: MainHop<Target>, aim: Double) throws {
    let ours: @Sendable () -> Void = { hop.send { $0.note(1) } }
    let peers: [(name: String, aim: Double?, send: @Sendable () -> Void)] = [
      ("main.async", aim, { [target] in DispatchQueue.main.async { target.note(1) } }),
      (
        "main.async to a weak target", nil,
        { [target] in DispatchQueue.main.async { [weak target] in target?.note(1) } }
      ),
      ("Task @MainActor", nil, { [target] in Task { @MainActor in target.note(1) } }),
    ]
    let costs = costs(of: [ours] + peers.map(\.send))
    for (peer, cost) in zip(peers, costs.dropFirst()) {
      try Row(
        "\(name), processor time", ours: costs[0].cpu, peer: cost.cpu, peerName: peer.name,
        aim: peer.aim
      ).print()
      try Row("\(name), time", ours: costs[0].clock, peer: cost.clock, peerName: peer.name).print()
    }
  }

  private func costs(of sends: [@Sendable () -> Void]) -> [Cost] {
    var costs = Array(repeating: Cost(), count: sends.count)
    for round in 0...rounds {
      for (index, send) in sends.enumerated() {
        let (cpu, clock) = burst(send)
        // The first round is a warm-up.
        if round == 0 { continue }
        costs[index].cpu.append(cpu)
        costs[index].clock.append(clock)
      }
    }
    return costs
  }

  /// Returns the processor time and the elapsed time per call of one burst, in nanoseconds.
  private func burst(_ send: @Sendable () -> Void) -> (cpu: Double, clock: Double) {
    let cpu = processTime()
    let start = DispatchTime.now().uptimeNanoseconds
    for _ in 0..<calls { send() }
    let done = DispatchSemaphore(value: 0)
    DispatchQueue.main.async { done.signal() }
    done.wait()
    let clock = DispatchTime.now().uptimeNanoseconds - start
    return (Double(processTime() - cpu) / Double(calls), Double(clock) / Double(calls))
  }

  private func processTime() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
