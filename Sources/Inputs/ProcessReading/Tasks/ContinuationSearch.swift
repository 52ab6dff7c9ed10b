import IncidentModel

/// Searches memory for references to continuations. The address of a continuation is the address of
/// its task.
///
/// A handle of the task has the same address and counts as a reference. Words in the task's own
/// memory and in the runtime's lists do not count. Every other word could resume the continuation.
struct ContinuationSearch {
  private let reader: WordReader
  private let threads: [ScannedThread]
  private let runtimePath: String
  /// The maximum number of counted references: a task with that many references is not lost.
  private static let mostReferences = 64
  /// The largest metadata kind. Class metadata begins with 0 or with a pointer instead of a kind.
  private static let lastKind: UInt64 = 0x7ff
  /// The address bits of a pointer. Enumerations store their cases in the other bits.
  private static let pointerBits: UInt64 = 0x00ff_ffff_ffff_fff8

  /// - Parameter runtime: the concurrency runtime, whose data section contains the metadata of its
  ///   classes.
  init(
    _ reader: WordReader, _ threads: [ScannedThread], _ runtime: ConcurrencyRuntime
  ) {
    self.reader = reader
    self.threads = threads
    runtimePath = reader.region(at: runtime.taskMetadata)?.path ?? ""
  }

  /// The references to each task that waits for a continuation, by the task's address.
  func references(
    _ tasks: [TaskObject], excluding dead: [Range<UInt64>]
  ) -> [UInt64: PictureWait.References] {
    let waiting = tasks.filter(isAwaited)
    if waiting.isEmpty { return [:] }
    var places: [UInt64: [UInt64]] = [:]
    WordSearch(reader, excluding: dead).references(to: waiting.map(\.address)) { place in
      guard let word = reader.word(at: place) else { return }
      let target = word & Self.pointerBits
      if places[target, default: []].count < Self.mostReferences {
        places[target, default: []].append(place)
      }
    }
    let own = TaskMemory(tasks, reader)
    let open = Dictionary(
      uniqueKeysWithValues: waiting.map { task in
        (task.address, (places[task.address] ?? []).filter { own.couldResume(task, from: $0) })
      })
    let freed = FreedChunks(reader).freed(
      open.values.lazy.filter { $0.count < Self.mostReferences }.flatMap(\.self))
    let held = Set(threads.flatMap(\.registers).map { $0 & Self.pointerBits })
    // Handles in the memory of the task's own functions are not among the remaining words.
    let handles = Dictionary(
      uniqueKeysWithValues: waiting.map { task in
        let own = (places[task.address] ?? []).count { own.isOwn(task, $0) }
        return (task.address, max(0, (task.handles ?? 0) - own))
      })
    let stacks = Set(threads.compactMap { reader.region(at: $0.stackPointer)?.range.lowerBound })
    return open.reduce(into: [:]) { found, pair in
      var references = PictureWait.References()
      for place in pair.value where !freed.contains(place) {
        if stacks.contains(reader.region(at: place)?.range.lowerBound ?? 0) {
          references.onStacks += 1
        } else if isFirstField(place) {
          references.objects += 1
        } else {
          references.others += 1
        }
      }
      if held.contains(pair.key) { references.onStacks += 1 }
      references.handles = handles[pair.key] ?? 0
      found[pair.key] = references
    }
  }

  /// True if `place` is the first field of an object of a runtime class, such as a checked
  /// continuation.
  ///
  /// Closure contexts are objects too, but have other metadata.
  private func isFirstField(_ place: UInt64) -> Bool {
    guard let type = reader.word(at: place &- 16), let count = reader.word(at: place &- 8),
      type & 7 == 0, count != 0, count >> 63 != 0 || count & 1 << 32 == 0,
      let kind = reader.word(at: type), kind == 0 || kind > Self.lastKind
    else { return false }
    return reader.region(at: type)?.path == runtimePath
  }

  /// True if the task waits for a continuation that was not resumed.
  private func isAwaited(_ task: TaskObject) -> Bool {
    guard task.hasDependency, !task.isEnqueued, !task.isRunning,
      case .continuation(let context) = StatusRecords(of: task, reader).dependency
    else { return false }
    return reader.word(at: context &+ 24).map { $0 & 0xff } == 1
  }
}
