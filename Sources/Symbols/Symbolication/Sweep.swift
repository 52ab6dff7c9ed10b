/// A priority queue whose first element is the largest.
struct PriorityQueue {
  private var elements: [UInt64] = []

  var top: UInt64? { elements.first }

  mutating func insert(_ element: UInt64) {
    var at = elements.count
    elements.append(element)
    while at > 0, elements[(at - 1) / 2] < element {
      elements[at] = elements[(at - 1) / 2]
      at = (at - 1) / 2
    }
    elements[at] = element
  }

  mutating func removeTop() {
    guard let moved = elements.popLast(), !elements.isEmpty else { return }
    var at = 0
    while true {
      var child = 2 * at + 1
      guard child < elements.count else { break }
      if child + 1 < elements.count, elements[child + 1] > elements[child] { child += 1 }
      guard elements[child] > moved else { break }
      elements[at] = elements[child]
      at = child
    }
    elements[at] = moved
  }

  mutating func removeAll() { elements.removeAll(keepingCapacity: true) }
}

/// A half-open range of addresses, and its owner.
struct Span: Equatable {
  var low: UInt32
  var high: UInt32
  var owner: UInt32
}

/// Sorts keys by their upper 32 bits. The lower 32 bits must ascend in the input; keys with equal upper bits
/// keep their order. O(n log n), O(n) for many keys.
func sortByUpperHalf(_ keys: inout [UInt64]) {
  // Most tables are already sorted, and a few thousand keys are sorted faster by comparison.
  if zip(keys, keys.dropFirst()).allSatisfy({ $0 >> 32 <= $1 >> 32 }) { return }
  if keys.count < 2048 { return keys.sort() }
  var other = [UInt64](repeating: 0, count: keys.count)
  for shift in stride(from: UInt64(32), to: 64, by: 11) {
    var places = [Int](repeating: 0, count: 2048)
    for key in keys { places[Int(key >> shift & 2047)] += 1 }
    var sum = 0
    for digit in places.indices { (places[digit], sum) = (sum, sum + places[digit]) }
    for key in keys {
      let digit = Int(key >> shift & 2047)
      other[places[digit]] = key
      places[digit] += 1
    }
    swap(&keys, &other)
  }
}

/// Returns for every address the last span of the list that contains the address. O(n log n).
func lastOverEach(_ spans: ArraySlice<Span>) -> [Span] {
  var order = spans.indices.map { UInt64(spans[$0].low) << 32 | UInt64($0 - spans.startIndex) }
  sortByUpperHalf(&order)
  var result: [Span] = []
  result.reserveCapacity(spans.count)
  var active = PriorityQueue()
  var position: UInt32 = 0

  func advance(to limit: UInt32) {
    while position < limit {
      guard let top = active.top else { return position = limit }
      let span = spans[spans.startIndex + Int(top)]
      if span.high <= position {
        active.removeTop()
        continue
      }
      let end = min(span.high, limit)
      if let last = result.last, last.high == position, last.owner == span.owner {
        result[result.count - 1].high = end
      } else {
        result.append(Span(low: position, high: end, owner: span.owner))
      }
      position = end
    }
  }

  for key in order {
    let index = key & 0xffff_ffff
    advance(to: UInt32(key >> 32))
    active.insert(index)
  }
  advance(to: .max)
  return result
}

/// Returns for every claimed address the unit that owns the address.
///
/// Linkers that fold or drop functions leave several claims to one address. The rule is that of
/// llvm-symbolizer: the owner of the previous run keeps an address that it claims; otherwise the first unit
/// of the file that claims the address owns it. O(n log n).
func ownersOverEach(_ claims: [Span], unitCount: Int) -> [Span] {
  var ends: [UInt64] = []
  ends.reserveCapacity(claims.count * 2)
  for (index, claim) in claims.enumerated() {
    ends.append(UInt64(claim.low) << 32 | UInt64(index) << 1)
    ends.append(UInt64(claim.high) << 32 | UInt64(index) << 1 | 1)
  }
  sortByUpperHalf(&ends)
  var result: [Span] = []
  var active = [UInt32](repeating: 0, count: unitCount)
  var activeUnits = PriorityQueue()
  var position: UInt32 = 0
  for end in ends {
    let address = UInt32(end >> 32)
    let unit = claims[Int((end & 0xffff_ffff) >> 1)].owner
    // The queue contains inverted unit numbers, so that the first unit is on top, and possibly units that
    // have ended.
    while let top = activeUnits.top, active[Int(UInt32.max - UInt32(top))] == 0 {
      activeUnits.removeTop()
    }
    if position < address, let top = activeUnits.top {
      if let last = result.last, last.high == position, active[Int(last.owner)] > 0 {
        result[result.count - 1].high = address
      } else {
        result.append(Span(low: position, high: address, owner: .max - UInt32(top)))
      }
    }
    if end & 1 == 0 {
      active[Int(unit)] += 1
      if active[Int(unit)] == 1 { activeUnits.insert(UInt64(UInt32.max - unit)) }
    } else {
      active[Int(unit)] -= 1
    }
    position = address
  }
  return result
}
