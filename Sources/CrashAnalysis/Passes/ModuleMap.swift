import IncidentModel

/// The modules of an input, to be found by address and time.
struct ModuleMap {
  /// By where they begin; those at one place by since when they are known.
  private let modules: [SeenModule]
  /// The furthest end of all modules up to each.
  private let reach: [UInt64]

  init(_ seen: [SeenModule]) {
    modules = seen.sorted {
      ($0.module.text.lowerBound, $0.since) < ($1.module.text.lowerBound, $1.since)
    }
    var furthest: UInt64 = 0
    reach = modules.map { seen in
      furthest = max(furthest, seen.module.text.upperBound)
      return furthest
    }
  }

  /// The index of the module whose code was at `address` at a time of the monotonic clock.
  func index(at address: UInt64, when monotonic: UInt64) -> Int? {
    var low = 0
    var high = modules.count
    while low < high {
      let middle = (low + high) / 2
      if modules[middle].module.text.lowerBound <= address {
        low = middle + 1
      } else {
        high = middle
      }
    }
    var found: Int?
    var at = low - 1
    while at >= 0, reach[at] > address {
      let seen = modules[at]
      if seen.module.text.contains(address) {
        // The first one seen also stands for the time before it was seen.
        if seen.since <= monotonic, isLater(seen, found) { found = at }
        if found == nil || modules[found!].since > monotonic, isEarlier(seen, found) { found = at }
      }
      at -= 1
    }
    return found
  }

  subscript(index: Int) -> Module { modules[index].module }

  private func isLater(_ seen: SeenModule, _ found: Int?) -> Bool {
    found.map { seen.since > modules[$0].since } ?? true
  }

  private func isEarlier(_ seen: SeenModule, _ found: Int?) -> Bool {
    found.map { seen.since < modules[$0].since } ?? true
  }
}
