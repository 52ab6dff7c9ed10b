import IncidentModel

/// Finds the tasks and threads that refer to a semaphore, a condition or a group, because only
/// these can signal it.
///
/// The search follows pointers from the memory of threads and tasks for a few levels: the values of
/// a closure, the first fields of an object.
struct SignalGivers {
  private let reader: WordReader
  private let threads: [ScannedThread]
  private let waits: [Int: PictureThread.Wait]
  private let tasks: [TaskObject]
  private let isNew: (TaskObject) -> Bool

  /// The maximum distance of a futex word from the start of its object.
  private static let objectSize: UInt64 = 128
  private static let fields: UInt64 = 10
  /// The number of levels from a closure's values to a semaphore: the adapted closure, and the
  /// object that contains the semaphore.
  private static let taskDepth = 3
  private static let threadDepth = 1
  private static let mostVisits = 4096
  private static let mostStackWords: UInt64 = 4096
  private static let mostTasks = 4096

  /// - Parameters:
  ///   - tasks: the unfinished tasks that do not run.
  ///   - isNew: returns true if a task has not started.
  init(
    _ threads: [ScannedThread], _ waits: [Int: PictureThread.Wait], _ tasks: [TaskObject],
    isNew: @escaping (TaskObject) -> Bool, _ reader: WordReader
  ) {
    self.reader = reader
    self.threads = threads
    self.waits = waits
    self.tasks = tasks.count > Self.mostTasks ? [] : tasks
    self.isNew = isNew
  }

  /// The addresses of the tasks and the ids of the threads that refer to the object around `word`,
  /// on which `thread` waits.
  func givers(of word: UInt64, for thread: Int) -> (tasks: [UInt64], threads: [Int]) {
    let others = threads.filter { other in
      other.kernelID != thread && !waits(other, near: word) && waits[other.kernelID] != .work
    }
    return (
      tasks.filter { refers(from: roots(of: $0), to: word, Self.taskDepth) }.map(\.address),
      others.filter { refers(from: roots(of: $0), to: word, Self.threadDepth) }.map(\.kernelID)
    )
  }

  /// True if `other` waits for the same object and so cannot signal it. The words may differ: a
  /// condition has one word for each of two groups of waiters.
  private func waits(_ other: ScannedThread, near word: UInt64) -> Bool {
    guard case .signal(let awaited) = waits[other.kernelID] else { return false }
    return max(awaited, word) - min(awaited, word) < Self.objectSize
  }

  private func roots(of thread: ScannedThread) -> [UInt64] {
    guard let stack = reader.region(at: thread.stackPointer)?.range else { return [] }
    let start = thread.stackPointer & ~7
    let end = start + min(stack.upperBound - start, Self.mostStackWords * 8)
    return stride(from: start, to: end, by: 8).compactMap(reader.word(at:)) + thread.registers
  }

  private func roots(of task: TaskObject) -> [UInt64] {
    if isNew(task) { return [reader.word(at: task.context &- 16) ?? 0] }
    var words: [UInt64] = []
    for used in TaskMemory.usedSlabs(of: task, reader) {
      let end = min(used.upperBound, used.lowerBound + Self.mostStackWords * 8)
      words += stride(from: used.lowerBound, to: end, by: 8).compactMap(reader.word(at:))
    }
    return words
  }

  private func refers(from roots: [UInt64], to word: UInt64, _ deepest: Int) -> Bool {
    var seen: Set<UInt64> = []
    var level = roots
    for depth in 0...deepest {
      var next: [UInt64] = []
      for pointer in level where pointer != 0 && pointer & 7 == 0 && seen.insert(pointer).inserted {
        if pointer <= word, word - pointer < Self.objectSize, pointer & 15 == 0 { return true }
        guard depth < deepest, seen.count < Self.mostVisits, isOnHeap(pointer) else { continue }
        for field in 2..<Self.fields {
          if let value = reader.word(at: pointer &+ field * 8) { next.append(value) }
        }
      }
      level = next
    }
    return false
  }

  private func isOnHeap(_ pointer: UInt64) -> Bool {
    guard pointer & 15 == 0, let region = reader.region(at: pointer) else { return false }
    return region.isWritable && (region.path.isEmpty || region.path == "[heap]")
  }
}
