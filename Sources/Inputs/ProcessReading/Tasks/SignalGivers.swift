import IncidentModel

/// Finds the tasks and threads that refer to a semaphore, a condition or a group, because only
/// these can signal it.
///
/// The search follows pointers from the memory of threads and tasks for a few levels: the values of
/// a closure, the first fields of an object.
struct SignalGivers {
  private let reader: WordReader
  private let waits: [Int: PictureThread.Wait]
  /// The words that threads wait on, ascending.
  private let words: [UInt64]
  /// The tasks, by their addresses, and the threads that refer to the object around each word.
  private var tasksOf: [UInt64: [UInt64]] = [:]
  private var threadsOf: [UInt64: [Int]] = [:]
  /// The remaining number of objects to visit. The limit bounds the stop of a process whose memory is
  /// full of pointers.
  private var visits = 1_000_000
  /// True if the search visited all tasks and threads.
  private(set) var isComplete = true

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
    of words: [UInt64], _ threads: [ScannedThread], _ waits: [Int: PictureThread.Wait],
    _ tasks: [TaskObject], isNew: (TaskObject) -> Bool, _ reader: WordReader
  ) {
    self.reader = reader
    self.waits = waits
    self.words = Set(words).sorted()
    if words.isEmpty { return }
    for thread in threads where waits[thread.kernelID] != .work {
      for word in reached(from: roots(of: thread), Self.threadDepth) {
        threadsOf[word, default: []].append(thread.kernelID)
      }
    }
    isComplete = tasks.count <= Self.mostTasks
    for task in isComplete ? tasks : [] {
      for word in reached(from: roots(of: task, isNew: isNew(task)), Self.taskDepth) {
        tasksOf[word, default: []].append(task.address)
      }
    }
    isComplete = isComplete && visits > 0
  }

  /// The addresses of the tasks and the ids of the threads that refer to the object around `word`,
  /// on which `thread` waits.
  func givers(of word: UInt64, for thread: Int) -> (tasks: [UInt64], threads: [Int]) {
    if visits <= 0 { return ([], []) }
    return (
      tasksOf[word] ?? [],
      (threadsOf[word] ?? []).filter { $0 != thread && !waits($0, near: word) }
    )
  }

  /// Whether a thread waits for the same object, and does not signal it: a condition has a word for each of two groups of waiters.
  private func waits(_ other: Int, near word: UInt64) -> Bool {
    guard case .signal(let awaited) = waits[other] else { return false }
    return max(awaited, word) - min(awaited, word) < Self.objectSize
  }

  private func roots(of thread: ScannedThread) -> [UInt64] {
    guard let stack = reader.region(at: thread.stackPointer)?.range else { return [] }
    let start = thread.stackPointer & ~7
    let end = start + min(stack.upperBound - start, Self.mostStackWords * 8)
    return stride(from: start, to: end, by: 8).compactMap(reader.word(at:)) + thread.registers
  }

  private func roots(of task: TaskObject, isNew: Bool) -> [UInt64] {
    if isNew { return [reader.word(at: task.context &- 16) ?? 0] }
    var words: [UInt64] = []
    for used in TaskMemory.usedSlabs(of: task, reader) {
      let end = min(used.upperBound, used.lowerBound + Self.mostStackWords * 8)
      words += stride(from: used.lowerBound, to: end, by: 8).compactMap(reader.word(at:))
    }
    return words
  }

  /// The words whose objects are reached from `roots`.
  private mutating func reached(from roots: [UInt64], _ deepest: Int) -> Set<UInt64> {
    var found: Set<UInt64> = []
    var seen: Set<UInt64> = []
    var level = roots
    for depth in 0...deepest {
      var next: [UInt64] = []
      for pointer in level where pointer != 0 && pointer & 7 == 0 && seen.insert(pointer).inserted {
        if pointer & 15 == 0 {
          let first = words.partitioningIndex { $0 >= pointer }
          found.formUnion(words[first...].prefix { $0 - pointer < Self.objectSize })
        }
        guard depth < deepest, seen.count < Self.mostVisits, visits > 0, isOnHeap(pointer) else {
          continue
        }
        visits -= 1
        for field in 2..<Self.fields {
          if let value = reader.word(at: pointer &+ field * 8) { next.append(value) }
        }
      }
      level = next
    }
    return found
  }

  private func isOnHeap(_ pointer: UInt64) -> Bool {
    guard pointer & 15 == 0, let region = reader.region(at: pointer) else { return false }
    return region.isWritable && (region.path.isEmpty || region.path == "[heap]")
  }
}
