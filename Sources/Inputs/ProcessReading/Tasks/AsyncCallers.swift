import IncidentModel

/// Follows the async contexts from a suspended function to its callers.
struct AsyncCallers {
  private let reader: WordReader
  /// Cache of stacks: tasks that wait at the same place share one copy.
  private var known: [Stack: Stack] = [:]
  private static let most = 64

  init(_ reader: WordReader) { self.reader = reader }

  /// The resume addresses of the async callers, from `context` outwards.
  ///
  /// - Parameter first: resume addresses that precede those of the contexts.
  mutating func stack(from context: UInt64, starting first: [UInt64] = []) -> Stack {
    var frames = first.map { FrameAddress.asyncCaller($0) }
    var next = context
    var end = Stack.End.complete
    while next != 0 {
      guard let parent = reader.word(at: next), let resume = reader.word(at: next &+ 8),
        resume == 0 || reader.isCode(resume)
      else {
        end = .badCallers
        break
      }
      if resume == 0 { break }
      if frames.count == Self.most {
        end = .limit
        break
      }
      frames.append(.asyncCaller(resume))
      next = parent
    }
    let stack = Stack(frames: frames, end: end)
    if let shared = known[stack] { return shared }
    known[stack] = stack
    return stack
  }

  /// The functions that await the one that a thread runs; empty if none is found.
  ///
  /// The contexts of a task's functions lie in the task's own memory, and the innermost one leads to all others: of those that
  /// the thread's registers and stack refer to, the one with the longest chain.
  mutating func stack(of task: TaskObject, runningOn thread: ScannedThread) -> Stack {
    var ranges = TaskMemory.usedSlabs(of: task, reader)
    // The first context is in front of the first slab, in the task's own allocation.
    if task.firstSlab > task.end, task.firstSlab - task.end < Self.largestHead {
      ranges.append(task.end..<task.firstSlab)
    }
    var innermost = Stack(frames: [], end: .unavailable)
    var seen: Set<UInt64> = []
    for word in thread.registers + words(onStackOf: thread)
    where word & 15 == 0 && ranges.contains(where: { $0.contains(word) }) {
      guard seen.count < Self.mostContexts, seen.insert(word).inserted else { continue }
      let found = stack(from: word)
      if found.end == .complete, found.frames.count > innermost.frames.count { innermost = found }
    }
    return innermost
  }

  private func words(onStackOf thread: ScannedThread) -> [UInt64] {
    let start = thread.stackPointer & ~7
    guard let region = reader.region(at: start)?.range else { return [] }
    let end = start + min(region.upperBound - start, Self.stackReach)
    return stride(from: start, to: end, by: 8).compactMap(reader.word(at:))
  }

  private static let largestHead: UInt64 = 4096
  private static let mostContexts = 256
  private static let stackReach: UInt64 = 1 << 16
}
