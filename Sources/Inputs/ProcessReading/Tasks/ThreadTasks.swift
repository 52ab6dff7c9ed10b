/// Determines which thread runs which task from the runtime's thread-local variables.
///
/// The runtime stores a thread's task in a thread-local variable. The next word points to a record
/// on the thread's stack that names the executor. The offset of the variable is the same in all
/// threads and is inferred: at no other offset do all threads that run tasks have the address of a
/// running task.
struct ThreadTasks {
  private(set) var tasks: [Int: UInt64] = [:]
  /// The executors that threads run on: object and witness.
  private(set) var executors: [Int: (object: UInt64, witness: UInt64)] = [:]

  /// The searched distance from the thread pointer. Static thread-local storage usually takes from
  /// hundreds of bytes to several kilobytes.
  private static let reach: UInt64 = 16_384

  /// - Parameter running: the addresses of the tasks whose state is running.
  init(_ threads: [ScannedThread], running: Set<UInt64>, _ reader: WordReader) {
    guard let offset = Self.offset(threads, running, reader) else { return }
    for thread in threads {
      if let task = reader.word(at: thread.threadPointer &+ offset), running.contains(task) {
        tasks[thread.kernelID] = task
      }
      if let executor = Self.executor(of: thread, at: offset &+ 8, reader) {
        executors[thread.kernelID] = executor
      }
    }
  }

  private static func offset(
    _ threads: [ScannedThread], _ running: Set<UInt64>, _ reader: WordReader
  ) -> UInt64? {
    if running.isEmpty { return nil }
    var hits: [UInt64: Int] = [:]
    for thread in threads where thread.threadPointer & 7 == 0 && thread.threadPointer > reach {
      for offset in stride(from: 0, to: 2 * reach, by: 8) {
        let offset = offset &- reach
        guard let word = reader.word(at: thread.threadPointer &+ offset) else { continue }
        if running.contains(word) { hits[offset, default: 0] += 1 }
      }
    }
    // Of several offsets with equal counts, the ones farther from the thread pointer are on the
    // stacks.
    return hits.min { ($1.value, distance($0.key)) < ($0.value, distance($1.key)) }?.key
  }

  private static func distance(_ offset: UInt64) -> UInt64 {
    Int64(bitPattern: offset).magnitude
  }

  /// The executor in the record that the thread-local variable points to. The record must be on the
  /// thread's own stack, above its stack pointer.
  private static func executor(
    of thread: ScannedThread, at offset: UInt64, _ reader: WordReader
  ) -> (object: UInt64, witness: UInt64)? {
    guard let record = reader.word(at: thread.threadPointer &+ offset), record & 7 == 0,
      let stack = reader.region(at: thread.stackPointer)?.range, stack.contains(record),
      record >= thread.stackPointer, let object = reader.word(at: record),
      let witness = reader.word(at: record &+ 8)
    else { return nil }
    return (object, witness)
  }
}
