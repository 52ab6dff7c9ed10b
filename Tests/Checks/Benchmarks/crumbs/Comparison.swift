import BenchmarkHarness

/// The figures that a row is made of.
let figures: [(name: String, path: KeyPath<Figures, Double> & Sendable)] = [
  ("mean", \.mean), ("p50", \.p50), ("p99.9", \.p999), ("worst", \.worst),
]

/// Prints a row for each figure and each peer. An aim is for the mean against the peer it names.
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

/// Prints what a call costs each of two threads, beside what it costs one alone.
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

/// Prints how much longer than at its best a core takes for work in registers alone. Far above 1, the
/// core is shared with somebody, and so were all others of this run.
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

/// Prints what the very first call on a new thread takes, beside the peer's, thread by thread in turn.
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
