import IncidentModel

/// The memory of a running process or of a core dump.
package protocol MemoryImage {
  /// The mapped ranges, in ascending order.
  var regions: [MemoryRegion] { get }
  /// The files mapped as code.
  var modules: [Module] { get }
  /// Copies as much of `buffer` as is readable from `address`; returns the number of bytes copied.
  func read(_ address: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int
  /// The parts of a range that have content, in ascending order. All other pages were never
  /// written, and reading them from a running process would allocate them.
  func occupied(in range: Range<UInt64>) -> [Range<UInt64>]
}

/// A mapped range of addresses.
package struct MemoryRegion: Hashable, Sendable {
  package var range: Range<UInt64>
  package var isWritable: Bool
  package var isExecutable: Bool
  /// The path of the mapped file; empty for anonymous memory.
  package var path: String

  package init(range: Range<UInt64>, isWritable: Bool, isExecutable: Bool, path: String) {
    self.range = range
    self.isWritable = isWritable
    self.isExecutable = isExecutable
    self.path = path
  }
}

extension MemoryImage {
  package func occupied(in range: Range<UInt64>) -> [Range<UInt64>] { [range] }

  /// The bytes at `address`; nil unless all of them are readable.
  package func bytes(at address: UInt64, count: Int) -> [UInt8]? {
    var isWhole = false
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = read(address, into: UnsafeMutableRawBufferPointer(buffer))
      isWhole = filled == count
    }
    return isWhole ? bytes : nil
  }

  /// The value of a trivial type at `address`; nil unless all of its bytes are readable.
  package func load<Value: BitwiseCopyable>(_ type: Value.Type, at address: UInt64) -> Value? {
    withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { buffer in
      let bytes = UnsafeMutableRawBufferPointer(buffer)
      guard read(address, into: bytes) == bytes.count else { return nil }
      return bytes.load(as: Value.self)
    }
  }

  /// The region that contains `address`. Complexity: logarithmic in the number of regions.
  package func region(at address: UInt64) -> MemoryRegion? { regions.region(at: address) }
}

extension [MemoryRegion] {
  func region(at address: UInt64) -> MemoryRegion? {
    let place = partitioningIndex { $0.range.upperBound > address }
    return place < count && self[place].range.contains(address) ? self[place] : nil
  }
}
