/// The unused parts of stacks, with stale values of calls that have returned.
struct DeadStacks {
  private(set) var ranges: [Range<UInt64>] = []

  /// The bytes below the stack pointer that leaf functions may use (System V ABI, x86_64).
  private static let redZone: UInt64 = 128
  /// The maximum distance of a thread's descriptor from the end of its stack.
  private static let descriptorReach: UInt64 = 8192

  /// - Parameter idle: threads without work, whose stacks contain only stale values.
  init(_ threads: [ScannedThread], idle: Set<Int>, _ reader: WordReader) {
    var live: Set<UInt64> = []
    for thread in threads {
      guard let stack = reader.region(at: thread.stackPointer)?.range else { continue }
      live.insert(stack.lowerBound)
      // A stack that the program allocated may share its mapping with other data.
      guard
        stack.contains(thread.threadPointer)
          || reader.region(at: thread.stackPointer)?.path == "[stack]"
      else { continue }
      if idle.contains(thread.kernelID), stack.contains(thread.threadPointer) {
        ranges.append(stack.lowerBound..<thread.threadPointer & ~15)
        continue
      }
      let used = max(stack.lowerBound, (thread.stackPointer &- Self.redZone) & ~15)
      if stack.lowerBound < used { ranges.append(stack.lowerBound..<used) }
    }
    // A thread with unknown registers may use any of the other stacks.
    guard threads.allSatisfy({ reader.region(at: $0.stackPointer) != nil }) else { return }
    let descriptors = Set(threads.map(\.threadPointer))
    for region in reader.regions where region.isWritable && !live.contains(region.range.lowerBound)
    {
      if region.path.isEmpty, let end = Self.descriptor(endOf: region.range, reader),
        !descriptors.contains(end)
      {
        // The stack of an ended thread, which glibc caches for the next thread.
        ranges.append(region.range.lowerBound..<end)
      }
    }
  }

  /// The address of the thread descriptor at the end of a stack. Its first and third words contain
  /// its own address.
  private static func descriptor(endOf range: Range<UInt64>, _ reader: WordReader) -> UInt64? {
    guard range.upperBound - range.lowerBound > descriptorReach else { return nil }
    for place in stride(from: range.upperBound - descriptorReach, to: range.upperBound - 64, by: 64)
    where reader.word(at: place) == place && reader.word(at: place + 16) == place {
      return place
    }
    return nil
  }
}
