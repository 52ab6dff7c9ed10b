/// Copies stacks while a process is stopped, so that the stacks can be walked while it runs again.
enum StackSnapshot {
  /// The maximum number of bytes to copy per stack. Deeper frames are read during the walk, because
  /// a thread rarely returns from them in that time.
  private static let mostOfOne: UInt64 = 64 << 10
  private static let mostOfAll: UInt64 = 64 << 20
  /// The bytes below the stack pointer that a function may use (System V ABI, x86_64).
  private static let redZone: UInt64 = 128

  static func take(of threads: [NativeThread], in memory: any MemoryImage) -> SnapshotMemory {
    let snapshot = SnapshotMemory(memory)
    var room = mostOfAll
    var last: UInt64 = 0
    for pointer in threads.compactMap(\.registers?.stackPointer).sorted() {
      guard let region = memory.region(at: pointer) else { continue }
      let start = max(pointer - min(pointer, redZone), region.range.lowerBound, last)
      let end = min(region.range.upperBound, start + min(mostOfOne, room))
      guard start < end else { continue }
      snapshot.keep(start..<end)
      last = end
      room -= end - start
    }
    return snapshot
  }
}
