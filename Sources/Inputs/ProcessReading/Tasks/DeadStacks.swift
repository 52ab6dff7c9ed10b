/// The parts of stacks that no call uses: their content is left from calls that have returned.
struct DeadStacks {
  private(set) var ranges: [Range<UInt64>] = []

  /// Below the stack pointer, functions that call no others keep values without moving it.
  private static let redZone: UInt64 = 128
  /// A thread's descriptor is this close to the end of its stack.
  private static let descriptorReach: UInt64 = 8192

  /// - Parameter idle: threads that have no work, whose stacks hold values of earlier work only.
  init(_ threads: [ScannedThread], idle: Set<Int>, _ reader: WordReader) {
    var live: Set<UInt64> = []
    for thread in threads {
      guard let stack = reader.region(at: thread.stackPointer)?.range else { continue }
      live.insert(stack.lowerBound)
      // A stack of the program's own may lie in memory that it uses for other things, too.
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
    // A thread whose registers are not known may use any of the others.
    guard threads.allSatisfy({ reader.region(at: $0.stackPointer) != nil }) else { return }
    let descriptors = Set(threads.map(\.threadPointer))
    for region in reader.regions where region.isWritable && !live.contains(region.range.lowerBound)
    {
      if region.path.isEmpty, let end = Self.descriptor(endOf: region.range, reader),
        !descriptors.contains(end)
      {
        // The stack of a thread that has ended, which the C library keeps for the next one.
        ranges.append(region.range.lowerBound..<end)
      }
    }
  }

  /// The address of the thread descriptor at the end of a stack: its first and third words are its own address.
  private static func descriptor(endOf range: Range<UInt64>, _ reader: WordReader) -> UInt64? {
    guard range.upperBound - range.lowerBound > descriptorReach else { return nil }
    for place in stride(from: range.upperBound - descriptorReach, to: range.upperBound - 64, by: 64)
    where reader.word(at: place) == place && reader.word(at: place + 16) == place {
      return place
    }
    return nil
  }
}
