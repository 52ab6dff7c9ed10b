/// Finds the functions of closures in memory.
struct Closures {
  private let reader: WordReader
  private static let mostWords: UInt64 = 8
  private static let mostNested = 3

  init(_ reader: WordReader) { self.reader = reader }

  /// The functions that a task runs once it starts, innermost first.
  ///
  /// The runtime stores the function and the closure's captured values before the first context.
  /// That function may be an adapter; then the adapted function is among the captured values.
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

  /// The first async closure among the captured values at `values`: its function and its captured
  /// values. The values follow the object header.
  private func closure(in values: UInt64) -> (function: UInt64, values: UInt64)? {
    for index in 2..<2 + Self.mostWords {
      guard let word = reader.word(at: values &+ index * 8) else { return nil }
      if let function = function(at: word), let nested = reader.word(at: values &+ index * 8 &+ 8) {
        return (function, nested)
      }
    }
    return nil
  }

  /// The function of an async function pointer, which consists of a relative address and the
  /// context size.
  private func function(at pointer: UInt64) -> UInt64? {
    guard let region = reader.region(at: pointer), !region.path.isEmpty, !region.isExecutable,
      let distance = reader.half(at: pointer), let size = reader.half(at: pointer &+ 4),
      (16...65_536).contains(size), size & 15 == 0
    else { return nil }
    let function = pointer &+ UInt64(bitPattern: Int64(Int32(bitPattern: distance)))
    return reader.isCode(function) && distance != 0 ? function : nil
  }
}
