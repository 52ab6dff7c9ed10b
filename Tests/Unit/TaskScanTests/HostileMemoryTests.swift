import IncidentModel
import Testing

@testable import ProcessReading

/// Memory that looks like tasks and is none.
@Suite struct HostileMemoryTests {
  private static let code: UInt64 = 0x10_0000
  private static let heap: UInt64 = 0x20_0000
  private static let metadata: UInt64 = 0x7000_0010
  private static let words = 16_384

  /// Words of a kind that a task has, in any order: pointers into the memory itself, to code, small numbers, noise.
  private static func word(_ random: inout SplitMix) -> UInt64 {
    switch random.next() % 8 {
    case 0: metadata
    case 1, 2: heap + random.next() % UInt64(words) * 8
    case 3: code + random.next() % 4096
    case 4: random.next() % 8
    case 5: 0x0000_0003_0200_1500
    case 6: 0x4015
    default: random.next()
    }
  }

  struct SplitMix: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var mixed = state
      mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
      mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
      return mixed ^ mixed >> 31
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>) func noiseIsReadWithoutEnd(seed: UInt64) {
    var random = SplitMix(state: seed)
    let memory = FakeMemory()
    memory.add([UInt64](repeating: 0, count: 512), at: Self.code, isCode: true)
    // Tasks with a few words changed, among noise.
    var words = (0..<Self.words).map { _ in Self.word(&random) }
    for place in stride(from: 0, to: Self.words - 64, by: 256) {
      words.replaceSubrange(place..<place + 64, with: Self.taskWords(at: UInt64(place) * 8))
      for _ in 0..<random.next() % 3 {
        words[place + Int(random.next() % 64)] = Self.word(&random)
      }
    }
    memory.add(words, at: Self.heap)
    let reader = WordReader(memory)
    var tasks: [TaskObject] = []
    WordSearch(reader, excluding: []).objects(withFirstWord: Self.metadata) { address in
      if let task = TaskObject(at: address, reader, isKnown: true) { tasks.append(task) }
    }
    #expect(!tasks.isEmpty)
    var callers = AsyncCallers(reader)
    for task in tasks {
      #expect(callers.stack(from: task.context).frames.count <= 64)
      _ = StatusRecords(of: task, reader)
    }
    let owned = TaskMemory(tasks, reader)
    for task in tasks { _ = owned.couldResume([task.address], from: Self.heap + 64) }
    _ = FreedChunks(reader).chunks(around: [Self.heap + 64])
  }

  /// A task as the runtime makes it, at the start of the heap.
  private static func task(_ change: (inout [UInt64]) -> Void = { _ in }) -> FakeMemory {
    var words = taskWords(at: 0)
    change(&words)
    let memory = FakeMemory()
    memory.add([UInt64](repeating: 0, count: 512), at: code, isCode: true)
    memory.add(words, at: heap)
    return memory
  }

  private static func taskWords(at offset: UInt64) -> [UInt64] {
    let heap = heap + offset
    var words = [UInt64](repeating: 0, count: 64)
    words[0] = metadata
    words[1] = 3
    words[4] = 0x0000_0007_0200_1500
    words[7] = code + 16
    words[8] = heap + 320
    words[12] = 0x4015
    words[13] = heap + 400
    words[19] = 0x15
    // What it waits for: a continuation, whose context is its own.
    words[40 + 1] = code + 32
    words[50] = 0
    words[52] = heap + 320
    words[54] = 2
    words[55] = heap
    return words
  }

  private static func isTask(_ change: (inout [UInt64]) -> Void = { _ in }) -> Bool {
    let reader = WordReader(task(change))
    return TaskObject(at: heap, reader, isKnown: true) != nil
  }

  @Test func aTaskIsTakenAndWhatIsNotQuiteOneIsRefused() {
    #expect(Self.isTask())
    // It is being freed.
    #expect(!Self.isTask { $0[1] |= 1 << 32 })
    // A job of another kind.
    #expect(!Self.isTask { $0[4] |= 3 })
    // It would go on in data.
    #expect(!Self.isTask { $0[7] = Self.heap })
    // A state that no task has.
    #expect(!Self.isTask { $0[12] = 0xffff_4015 })
    // The record of what it waits for is another task's.
    #expect(!Self.isTask { $0[55] = Self.heap + 16 })
    // It waits, and nothing says what for.
    #expect(!Self.isTask { $0[13] = 0 })
    // Its function's memory is not there.
    #expect(!Self.isTask { $0[8] = 0x9999_0000 })
  }

  /// A finished child of a group that is its own next sibling, as in a list that changes while it is read.
  @Test func childrenInACircleAreReadWithoutEnd() throws {
    let memory = Self.task { words in
      words[4] = 0x0000_0007_0300_1500
      words[12] = 0x2015
      words[27] = Self.heap
      words[60 + 3] = Self.heap
    }
    let reader = WordReader(memory)
    let child = try #require(TaskObject(at: Self.heap, reader, isKnown: true))
    #expect(child.isComplete && child.nextSibling(reader) == Self.heap)
    let scan = TaskScan(memory, threads: [], symbols: ProcessSymbols([]))
    #expect(scan.children(of: Self.heap + 60 * 8, [Self.heap: child]) == [])
  }

  /// Jobs of 64 bytes each, in a list from the queue's head to its tail.
  private static func jobs(_ change: (inout [UInt64]) -> Void = { _ in }) -> PictureQueue.Jobs? {
    var words = [UInt64](repeating: 0, count: 64)
    words[6] = heap + 64 * 4
    words[13] = heap + 64 * 2
    words[16 + 2] = heap + 64 * 3
    words[24 + 2] = heap + 64 * 4
    change(&words)
    let memory = FakeMemory()
    memory.add(words, at: heap)
    return DispatchQueues([], WordReader(memory)).jobs(on: heap)
  }

  @Test func jobsOfAQueueAreCountedIfTheirListEndsAtTheTail() {
    #expect(Self.jobs() == PictureQueue.Jobs(count: 3, first: Self.heap + 128))
    // No job.
    #expect(Self.jobs { $0[13] = 0 } == nil)
    // A circle, an end before the tail, and a way out of the memory.
    #expect(Self.jobs { $0[24 + 2] = Self.heap + 128 } == nil)
    #expect(Self.jobs { $0[24 + 2] = 0 } == nil)
    #expect(Self.jobs { $0[24 + 2] = 0x9999_0000 } == nil)
  }
}
