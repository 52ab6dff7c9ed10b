import BenchmarkHarness

/// The figures of which each has a row.
let figures: [(name: String, path: KeyPath<Figures, Double> & Sendable)] = [
  ("mean", \.mean), ("p50", \.p50), ("p99.9", \.p999), ("worst", \.worst),
]

/// Prints a row for each figure and each peer. `aims` has the aim of the mean for each peer.
func compare(
  _ ours: Contender, with peers: [Contender], threads: Int, rounds: Int,
  aims: [String: Double] = [:]
) throws {
  var race = Race([ours] + peers, threads: threads)
  race.run(rounds: rounds)
  for figure in figures {
    for peer in peers {
      try Row(
        "\(ours.name), \(threads) \(threads == 1 ? "thread" : "threads"), \(figure.name)",
        ours: race.values(ours.name, figure.path), peer: race.values(peer.name, figure.path),
        peerName: peer.name, aim: figure.name == "mean" ? aims[peer.name] : nil
      ).print()
    }
  }
}

/// Prints the cost of a call for each of two threads, compared with that of a single thread.
func compareThreads(_ contender: Contender, rounds: Int, aim: Double? = nil) throws {
  var (alone, two): ([Double], [Double]) = ([], [])
  for _ in 0..<rounds {
    for threads in [1, 2] {
      var race = Race([contender], threads: threads)
      race.run(rounds: 1)
      let mean = race.values(contender.name, \.mean)
      if threads == 1 { alone += mean } else { two += mean }
    }
  }
  try Row(
    "\(contender.name), 2 threads against 1, mean", ours: two, peer: alone, peerName: "1 thread",
    aim: aim
  ).print()
}

/// Compares the time of a loop that uses only registers with the fastest round of that loop. If the ratio is far
/// above 1, other virtual machines use the same core.
func compareCore(rounds: Int) throws {
  let registers = Contender("registers") { _ in Registers() }
  var race = Race([registers], threads: 1)
  race.run(rounds: rounds)
  let means = race.values(registers.name, \.mean)
  let least = means.min() ?? .nan
  try Row(
    "registers alone, mean", ours: means, peer: means.map { _ in least }, peerName: "its least",
    aim: 1.1
  ).print()
}

/// Prints the time of the first call on a new thread, compared with that of the peer, on alternating threads.
func compareFirstCalls(_ ours: Contender, with peer: Contender, threads: Int) throws {
  var (first, peerFirst): ([Double], [Double]) = ([], [])
  for _ in 0..<threads {
    first.append(ours.firstCallOnNewThread())
    peerFirst.append(peer.firstCallOnNewThread())
  }
  try Row(
    "\(ours.name), first on a new thread", ours: first, peer: peerFirst, peerName: peer.name
  ).print()
}
