/// Collects runs of addresses in ascending order; a run ends where the next run starts.
final class RunList<Value: BitwiseCopyable & Equatable> {
  private let startsRoom: UnsafeMutableBufferPointer<UInt32>
  private let valuesRoom: UnsafeMutableBufferPointer<Value>
  private(set) var count = 0
  private var end: UInt32 = 0
  private let gap: Value

  init(gap: Value, capacity: Int) {
    self.gap = gap
    startsRoom = .allocate(capacity: capacity)
    valuesRoom = .allocate(capacity: capacity)
  }

  deinit {
    startsRoom.deallocate()
    valuesRoom.deallocate()
  }

  var starts: UnsafeBufferPointer<UInt32> { .init(rebasing: startsRoom[..<count]) }
  var values: UnsafeBufferPointer<Value> { .init(rebasing: valuesRoom[..<count]) }

  @inline(__always)
  func append(_ value: Value, from low: UInt32, to high: UInt32) {
    guard low < high else { return }
    close(at: low)
    if count == 0 || valuesRoom[count - 1] != value { add(low, value) }
    end = high
  }

  /// Adds a gap from the end of the last run to `low`, if they differ.
  @inline(__always)
  private func close(at low: UInt32) {
    if count > 0, end < low, valuesRoom[count - 1] != gap { add(end, gap) }
  }

  @inline(__always)
  private func add(_ start: UInt32, _ value: Value) {
    precondition(count < startsRoom.count)
    startsRoom[count] = start
    valuesRoom[count] = value
    count += 1
  }

  /// Adds a gap after the last run.
  func finish() { close(at: .max) }
}
