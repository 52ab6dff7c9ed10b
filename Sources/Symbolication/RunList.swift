/// Collects runs of addresses in ascending order; a run ends where the next one starts.
struct RunList<Value: Equatable> {
  private(set) var starts: [UInt32] = []
  private(set) var values: [Value] = []
  private var end: UInt32 = 0
  private let gap: Value

  init(gap: Value) { self.gap = gap }

  mutating func append(_ value: Value, from low: UInt32, to high: UInt32) {
    guard low < high else { return }
    close(at: low)
    if starts.isEmpty || values[values.count - 1] != value {
      starts.append(low)
      values.append(value)
    }
    end = high
  }

  /// Nothing is known from the end of the last run up to here.
  private mutating func close(at low: UInt32) {
    guard !starts.isEmpty, end < low, values[values.count - 1] != gap else { return }
    starts.append(end)
    values.append(gap)
  }

  /// Nothing is known after the last run.
  mutating func finish() { close(at: .max) }
}
