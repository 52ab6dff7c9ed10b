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
  /// The maximum number of words that are examined for one address. Freed memory holds stale words,
  /// in a busy service hundreds, so that the live one is found only if all are examined.
  private static let mostWords = 1 << 16
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

  /// The references to each task that waits for a continuation, by the task's address; without a
  /// task that too many words refer to. Nil if a part of the memory could not be read.
  func references(
    _ tasks: [TaskObject], excluding dead: [Range<UInt64>]
  ) -> [UInt64: PictureWait.References]? {
    let waiting = tasks.filter(isAwaited)
    if waiting.isEmpty { return [:] }
    let search = WordSearch(reader, excluding: dead)
    guard let places = places(referringTo: waiting.map(\.address), search) else { return nil }
    let own = TaskMemory(tasks, reader)
    let dependents = DependentTasks(tasks, reader)
    let parties = Dictionary(
      uniqueKeysWithValues: waiting.map { ($0.address, dependents.all(on: $0.address)) })
    let (open, arrays) = inUse(
      Dictionary(
        uniqueKeysWithValues: parties.map { task, parties in
          (
            task,
            (places[task] ?? []).filter {
              own.couldResume(parties, from: $0) && !isCachedJob(at: $0)
            }
          )
        }))
    let streams = inClosedStreams(open, arrays, search) {
      own.couldResume(parties[$0] ?? [$0], from: $1)
    }
    guard let closed = streams else { return nil }
    let held = Set(threads.flatMap(\.registers).map { $0 & Self.pointerBits })
    let stacks = Set(threads.compactMap { reader.region(at: $0.stackPointer)?.range.lowerBound })
    var found: [UInt64: PictureWait.References] = [:]
    for task in waiting where places[task.address]?.count ?? 0 < Self.mostWords {
      var references = PictureWait.References()
      for place in open[task.address] ?? [] {
        if closed.contains(place) {
          references.inClosedStreams += 1
        } else if stacks.contains(reader.region(at: place)?.range.lowerBound ?? 0) {
          references.onStacks += 1
        } else if isFirstField(place) {
          references.objects += 1
        } else {
          references.others += 1
        }
      }
      if held.contains(task.address) { references.onStacks += 1 }
      // A task handle in a function of these tasks does not count as a reference from outside.
      let owned = (places[task.address] ?? []).count {
        own.isOwn(parties[task.address] ?? [], $0)
      }
      references.handles = max(0, (task.handles ?? 0) - owned)
      found[task.address] = references
    }
    return found
  }

  /// The words that refer to each of these addresses; nil if memory could not be read.
  private func places(
    referringTo targets: [UInt64], _ search: WordSearch
  ) -> [UInt64: [UInt64]]? {
    var places: [UInt64: [UInt64]] = [:]
    let isComplete = search.references(to: targets) { place in
      guard let word = reader.word(at: place) else { return }
      let target = word & Self.pointerBits
      if places[target, default: []].count < Self.mostWords {
        places[target, default: []].append(place)
      }
    }
    return isComplete ? places : nil
  }

  /// The places that lie neither in freed memory nor in the spare memory of a collection, and the arrays that contain them.
  private func inUse(
    _ places: [UInt64: [UInt64]]
  ) -> (places: [UInt64: [UInt64]], arrays: [UInt64: UInt64]) {
    let chunks = FreedChunks(reader).chunks(around: places.values.flatMap(\.self))
    let collections = Collections(reader)
    var arrays: [UInt64: UInt64] = [:]
    let used = places.mapValues { all in
      all.filter { place in
        guard let chunk = chunks[place] else { return true }
        if chunk.isFree { return false }
        guard let element = collections.element(at: place, in: chunk) else { return true }
        if element.isArray { arrays[place] = element.storage }
        return !element.isSpare
      }
    }
    return (used, arrays)
  }

  /// The places in the buffers of streams to which nothing else refers that could add an element or finish them; nil if
  /// memory could not be read.
  ///
  /// - Parameters:
  ///   - arrays: the arrays that contain some of the places.
  ///   - couldResume: whether a word could be used to resume a task, by the task's address.
  private func inClosedStreams(
    _ places: [UInt64: [UInt64]], _ arrays: [UInt64: UInt64], _ search: WordSearch,
    _ couldResume: (UInt64, UInt64) -> Bool
  ) -> Set<UInt64>? {
    let collections = Collections(reader)
    var buffers: [UInt64: (place: UInt64, task: UInt64)] = [:]
    for (task, all) in places where all.count == 1 {
      if let array = arrays[all[0]] { buffers[array] = (all[0], task) }
    }
    guard let ofBuffers = referrers(of: buffers, search, couldResume) else { return nil }
    var storages: [UInt64: (place: UInt64, task: UInt64)] = [:]
    for (buffer, waiter) in buffers {
      guard let all = ofBuffers[buffer], all.count == 1,
        let storage = collections.stream(withWaitersAt: all[0])
      else { continue }
      storages[storage] = waiter
    }
    guard let ofStorages = referrers(of: storages, search, couldResume) else { return nil }
    let closed = storages.filter { storage, _ in
      (ofStorages[storage] ?? []).allSatisfy(collections.isStreamOwn)
    }
    return Set(closed.values.map(\.place))
  }

  /// The words that refer to objects, without those that could not be used to resume the task that waits in each; nil if
  /// memory could not be read.
  private func referrers(
    of objects: [UInt64: (place: UInt64, task: UInt64)], _ search: WordSearch,
    _ couldResume: (UInt64, UInt64) -> Bool
  ) -> [UInt64: [UInt64]]? {
    if objects.isEmpty { return [:] }
    guard let all = places(referringTo: Array(objects.keys), search) else { return nil }
    if all.values.contains(where: { $0.count == Self.mostWords }) { return nil }
    let held = Set(threads.flatMap(\.registers).map { $0 & Self.pointerBits })
    return inUse(
      Dictionary(
        uniqueKeysWithValues: objects.map { object, waiter in
          // A register counts as a reference at no address.
          let inRegister = held.contains(object) ? [UInt64(0)] : []
          return (
            object, (all[object] ?? []).filter { couldResume(waiter.task, $0) } + inRegister
          )
        })
    ).places
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

  /// Whether `place` is in a record by which Dispatch was told to run the task, and that it keeps for later use: its task is
  /// not on any queue, as it waits.
  ///
  /// The record has flags, three more words, a function of the runtime's, and its argument.
  private func isCachedJob(at place: UInt64) -> Bool {
    guard let flags = reader.word(at: place &- 40), flags <= 0xffff,
      let function = reader.word(at: place &- 8), let region = reader.region(at: function)
    else { return false }
    return region.isExecutable && region.path == runtimePath
  }

  /// True if the task waits for a continuation that was not resumed.
  private func isAwaited(_ task: TaskObject) -> Bool {
    guard task.hasDependency, !task.isEnqueued, !task.isRunning,
      case .continuation(let context) = StatusRecords(of: task, reader).dependency
    else { return false }
    return reader.word(at: context &+ 24).map { $0 & 0xff } == 1
  }
}
