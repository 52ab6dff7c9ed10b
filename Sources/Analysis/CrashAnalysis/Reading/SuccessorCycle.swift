/// A cycle in a graph whose nodes have at most one successor each.
enum SuccessorCycle {
  /// Returns the first cycle that the nodes lead to: each node followed by its successor, the lowest
  /// node first. Nil if there is no cycle.
  ///
  /// - Complexity: linear in the number of nodes, apart from the calls of `next`.
  static func first(from nodes: some Sequence<Int>, next: (Int) -> Int?) -> [Int]? {
    var seen: Set<Int> = []
    for start in nodes {
      var path: [Int] = []
      var node: Int? = start
      while let current = node, seen.insert(current).inserted {
        path.append(current)
        node = next(current)
      }
      guard let node, let begin = path.firstIndex(of: node) else { continue }
      let cycle = path[begin...]
      let lowest = cycle.indices.min { cycle[$0] < cycle[$1] } ?? begin
      return Array(cycle[lowest...] + cycle[..<lowest])
    }
    return nil
  }
}
