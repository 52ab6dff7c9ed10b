import IncidentModel

/// Separates words of the runtime and of the tasks' own memory from words of the program.
///
/// A task allocates its functions' memory from slabs. Children of `async let` use the slabs of
/// their parents.
struct TaskMemory {
  private struct Piece {
    var range: Range<UInt64>
    var task: UInt64
    /// The end of the used part.
    var used: UInt64
    /// The maximum end of this range and of all ranges before it; bounds the backward search.
    var reach: UInt64 = 0
  }

  /// The addresses of the runtime's words that point to tasks.
  private var links: Set<UInt64> = []
  /// The pieces by start address; a piece may contain another piece.
  private var pieces: [Piece] = []

  private static let mostSlabs = 65_536
  private static let largestSlab: UInt64 = 1 << 30

  private enum Slab {
    static let next: UInt64 = 8
    static let sizes: UInt64 = 16
    static let header: UInt64 = 32
  }

  init(_ tasks: [TaskObject], _ reader: WordReader) {
    for task in tasks {
      // The words of the object belong to the runtime; the result after the object does not.
      pieces.append(
        Piece(range: task.address..<task.end, task: task.address, used: task.address))
      links.formUnion(StatusRecords(of: task, reader).links)
      if !task.isComplete { addSlabs(of: task, reader) }
    }
    pieces.sort {
      ($0.range.lowerBound, $1.range.upperBound) < ($1.range.lowerBound, $0.range.upperBound)
    }
    var reach: UInt64 = 0
    for index in pieces.indices {
      reach = max(reach, pieces[index].range.upperBound)
      pieces[index].reach = reach
    }
  }

  private mutating func addSlabs(of task: TaskObject, _ reader: WordReader) {
    Self.visitSlabs(of: task, reader) { slab, sizes in
      let start = slab + Slab.header
      pieces.append(
        Piece(
          range: slab..<start + sizes.capacity, task: task.address, used: start + sizes.used))
    }
  }

  /// The memory that a task's functions currently use.
  static func usedSlabs(of task: TaskObject, _ reader: WordReader) -> [Range<UInt64>] {
    var used: [Range<UInt64>] = []
    visitSlabs(of: task, reader) { slab, sizes in
      let start = slab + Slab.header
      used.append(start..<start + sizes.used)
    }
    return used
  }

  private static func visitSlabs(
    of task: TaskObject, _ reader: WordReader,
    _ visit: (UInt64, (capacity: UInt64, used: UInt64)) -> Void
  ) {
    var next = task.firstSlab
    for _ in 0..<mostSlabs {
      guard next != 0, next <= UInt64(Int64.max), let sizes = reader.word(at: next + Slab.sizes),
        let following = reader.word(at: next + Slab.next)
      else { return }
      let (capacity, used) = (sizes & 0xffff_ffff, sizes >> 32)
      guard capacity <= largestSlab, used <= capacity else { return }
      visit(next, (capacity, used))
      next = following
    }
  }

  /// Whether the word at `place` could be used to resume a task: it is the program's, or is in memory that another task uses
  /// now.
  ///
  /// - Parameter waiting: the task, and those that wait for its end.
  func couldResume(_ waiting: Set<UInt64>, from place: UInt64) -> Bool {
    if links.contains(place) { return false }
    guard let piece = piece(at: place) else { return true }
    return !waiting.contains(piece.task) && place < piece.used
  }

  /// Whether the word at `place` is in memory that the functions of these tasks use now.
  func isOwn(_ tasks: Set<UInt64>, _ place: UInt64) -> Bool {
    guard !links.contains(place), let piece = piece(at: place) else { return false }
    return tasks.contains(piece.task) && place < piece.used
  }

  /// The innermost piece that contains `place`.
  private func piece(at place: UInt64) -> Piece? {
    var index = pieces.partitioningIndex { $0.range.lowerBound > place }
    while index > 0, pieces[index - 1].reach > place {
      index -= 1
      if pieces[index].range.contains(place) { return pieces[index] }
    }
    return nil
  }
}
