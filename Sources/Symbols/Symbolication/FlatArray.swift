/// A table inside a block of memory, which the caller keeps alive.
struct FlatArray<Element: BitwiseCopyable> {
  private let base: UnsafeRawPointer
  let count: Int

  init(base: UnsafeRawPointer, count: Int) {
    self.base = base
    self.count = count
  }

  subscript(index: Int) -> Element {
    precondition(index >= 0 && index < count)
    return address(of: index).loadUnaligned(as: Element.self)
  }

  var elements: [Element] { (0..<count).map { self[$0] } }

  func address(of index: Int) -> UnsafeRawPointer {
    base + index * MemoryLayout<Element>.stride
  }
}

extension FlatArray where Element: Comparable {
  /// The index of the last element of the sorted table that is not greater; -1 if all elements are greater.
  /// O(log n), and faster if the result is close behind the previous result.
  @inline(__always)
  func lastIndex(notAfter element: Element, near last: inout Int) -> Int {
    // Callers mostly look up many addresses in order: the elements close behind the previous result are
    // checked first.
    let window = 64
    var low = 0
    var rest = count
    if last >= 0, last + window < count, self[last] <= element, element < self[last + window] {
      if element < self[last + 1] { return last }
      (low, rest) = (last + 1, window - 1)
    }
    // A binary search without branches to mispredict: `low` never leaves the table.
    while rest > 0 {
      let half = (rest + 1) / 2
      let middle = address(of: low + half - 1).loadUnaligned(as: Element.self)
      low = middle <= element ? low + half : low
      rest = middle <= element ? rest - half : half - 1
    }
    last = low - 1
    return last
  }
}

/// Reads consecutive tables of a block.
struct TableReader {
  let bytes: UnsafeRawBufferPointer
  var at: Int

  mutating func cut<Element: BitwiseCopyable>(
    _: Element.Type, _ count: UInt32
  ) -> FlatArray<Element>? {
    let size = Int(count) * MemoryLayout<Element>.stride
    guard size <= bytes.count - at, let base = bytes.baseAddress else { return nil }
    defer { at += size }
    return FlatArray(base: base + at, count: Int(count))
  }
}
