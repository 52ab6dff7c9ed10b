/// Finds the functions of closures in memory.
struct Closures {
  private let reader: WordReader
  private static let mostWords: UInt64 = 8
  private static let mostNested = 3

  init(_ reader: WordReader) { self.reader = reader }

  /// The functions that a task which has not started will run, innermost first.
  ///
  /// The runtime keeps the function and the closure's values in front of the first context. That function may be one that
  /// only adapts another, which is then among the values.
  func functions(startedBy task: TaskObject) -> [UInt64] {
    guard let entry = reader.word(at: task.context &- 24), reader.isCode(entry) else {
      return [task.resume]
    }
    var functions = [entry]
    var values = reader.word(at: task.context &- 16) ?? 0
    for _ in 0..<Self.mostNested where values != 0 {
      guard let (function, nested) = closure(in: values) else { break }
      functions.insert(function, at: 0)
      values = nested
    }
    return functions
  }

  /// The function of an async closure among the values at `values`, behind the object's header, and its own values.
  private func closure(in values: UInt64) -> (function: UInt64, values: UInt64)? {
    for index in 2..<2 + Self.mostWords {
      guard let word = reader.word(at: values &+ index * 8) else { return nil }
      if let function = function(at: word), let nested = reader.word(at: values &+ index * 8 &+ 8) {
        return (function, nested)
      }
    }
    return nil
  }

  /// The function that an async function pointer leads to: its distance, and the size of its context.
  private func function(at pointer: UInt64) -> UInt64? {
    guard let region = reader.region(at: pointer), !region.path.isEmpty, !region.isExecutable,
      let distance = reader.half(at: pointer), let size = reader.half(at: pointer &+ 4),
      (16...65_536).contains(size), size & 15 == 0
    else { return nil }
    let function = pointer &+ UInt64(bitPattern: Int64(Int32(bitPattern: distance)))
    return reader.isCode(function) && distance != 0 ? function : nil
  }
}
