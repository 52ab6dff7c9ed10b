import IncidentModel

/// The modules of an input, indexed by address and time.
package struct ModuleMap: Sendable {
  /// The modules that were loaded at the same address range, one after another.
  private struct Place {
    var text: Range<UInt64>
    /// The range in `modules`, ordered by the time of the first record.
    var seen: Range<Int>
  }

  /// The modules, sorted by address range and then by the time of their first record.
  private let modules: [SeenModule]
  /// The address ranges, sorted by start.
  private let places: [Place]
  /// The maximum end of all ranges up to each index.
  private let reach: [UInt64]

  /// The maximum number of overlapping ranges to search. Ranges overlap only if a module was
  /// unloaded before another was loaded, so more overlaps indicate a malformed log, which must not
  /// slow down each lookup.
  private static let mostOverlaps = 256

  package init(_ seen: [SeenModule]) {
    let modules = seen.sorted {
      ($0.module.text.lowerBound, $0.module.text.upperBound, $0.since)
        < ($1.module.text.lowerBound, $1.module.text.upperBound, $1.since)
    }
    var places: [Place] = []
    for (index, seen) in modules.enumerated() {
      if let last = places.last, last.text == seen.module.text {
        places[places.count - 1].seen = last.seen.lowerBound..<index + 1
      } else {
        places.append(Place(text: seen.module.text, seen: index..<index + 1))
      }
    }
    var furthest: UInt64 = 0
    reach = places.map { place in
      furthest = max(furthest, place.text.upperBound)
      return furthest
    }
    self.modules = modules
    self.places = places
  }

  /// Returns the index of the module whose code was at `address` at a time of the monotonic clock.
  ///
  /// - Complexity: O(log n)
  package func index(at address: UInt64, when monotonic: UInt64) -> Int? {
    let end = places.partitioningIndex { $0.text.lowerBound > address }
    var found: Int?
    var at = end - 1
    while at >= 0, reach[at] > address, end - at <= Self.mostOverlaps {
      if places[at].text.contains(address) {
        let here = index(in: places[at].seen, when: monotonic)
        found = found.map { isBetter(here, than: $0, when: monotonic) ? here : $0 } ?? here
      }
      at -= 1
    }
    return found
  }

  package subscript(index: Int) -> Module { modules[index].module }

  /// Returns the last module first recorded by then. The earliest module also covers the time
  /// before its record.
  private func index(in seen: Range<Int>, when monotonic: UInt64) -> Int {
    let later = modules[seen].partitioningIndex { $0.since > monotonic }
    return max(later - 1, seen.lowerBound)
  }

  private func isBetter(_ one: Int, than other: Int, when monotonic: UInt64) -> Bool {
    let (since, known) = (modules[one].since, modules[other].since)
    if since <= monotonic { return known > monotonic || since > known }
    return known > monotonic && since < known
  }
}
