import IncidentModel

/// The events of a recording in bounded columns. If there are too many, the oldest events are
/// dropped, notes first, then hops and UI work.
struct TimelineColumns: Sendable {
  /// The limits of the columns.
  struct Bounds: Sendable {
    var events = Timelines.mostOfOne
    /// The maximum number of bytes of all texts and data.
    var bytes = 64 << 20
    /// The maximum number of bytes of one crumb's text, and of its data.
    var bytesOfOne = 2048
  }

  /// The indices of the events in the whole input, from 0.
  private(set) var place: [Int] = []
  private(set) var monotonic: [UInt64] = []
  private(set) var wall: [UInt64] = []
  private(set) var thread: [UInt32] = []
  private(set) var queue: [UInt32] = []
  private(set) var hop: [UInt64] = []
  private(set) var kind: [CrumbKind] = []
  private(set) var level: [CrumbLevel] = []
  private(set) var marks: [EventMarks] = []
  /// The number of each event's stack; -1 for none.
  private(set) var stack: [Int32] = []
  private(set) var texts = TextColumn()

  /// The number of events in the input.
  private(set) var seen = 0
  /// The distinct stacks, each with a time at which it was recorded.
  private(set) var stacks: [(frames: [FrameAddress], when: UInt64)] = []

  private var stackNumbers: [[FrameAddress]: Int32] = [:]
  private let bounds: Bounds
  private let mostStacks = 4096

  init(_ bounds: Bounds) { self.bounds = bounds }

  var count: Int { place.count }
  var left: Int { seen - count }

  mutating func append(_ batch: EventBatch) {
    for index in 0..<batch.count { append(batch[index]) }
    if count > 2 * bounds.events || texts.size > 2 * bounds.bytes { makeRoom() }
  }

  /// Drops events above the limits.
  mutating func settle() {
    if count > bounds.events || texts.size > bounds.bytes { makeRoom() }
  }

  /// Returns the index of the event at `wanted` in the input; nil if it was dropped.
  func index(ofPlace wanted: Int) -> Int? {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if place[middle] < wanted { low = middle + 1 } else { high = middle }
    }
    return low < count && place[low] == wanted ? low : nil
  }

  /// True if the input does not state the event's time.
  func isUntimed(_ index: Int) -> Bool { marks[index].contains(.untimed) }

  private mutating func append(_ event: Event) {
    place.append(seen)
    seen += 1
    monotonic.append(event.monotonic)
    wall.append(event.wall)
    thread.append(UInt32(truncatingIfNeeded: event.thread))
    queue.append(event.queueNumber)
    hop.append(event.hop ?? 0)
    kind.append(event.kind)
    level.append(event.level)
    marks.append(event.marks)
    stack.append(event.hasStack ? number(ofStack: event) : -1)
    texts.append(event, most: bounds.bytesOfOne)
  }

  private mutating func number(ofStack event: Event) -> Int32 {
    let frames = event.frames
    if let known = stackNumbers[frames] { return known }
    guard stacks.count < mostStacks else { return -1 }
    let number = Int32(stacks.count)
    stackNumbers[frames] = number
    stacks.append((frames, event.monotonic))
    return number
  }

  private mutating func makeRoom() {
    var excess = max(0, count - bounds.events)
    var bytes = max(0, texts.size - bounds.bytes)
    var keeps = [Bool](repeating: true, count: count)
    for chatter in [[.note], [.hop, .uiWork], CrumbKind.allCases] as [[CrumbKind]] {
      for index in 0..<count where excess > 0 || bytes > 0 {
        guard keeps[index], chatter.contains(kind[index]) else { continue }
        keeps[index] = false
        excess -= 1
        bytes -= texts.size(at: index)
      }
    }
    let kept = keeps.indices.filter { keeps[$0] }
    place = kept.map { place[$0] }
    monotonic = kept.map { monotonic[$0] }
    wall = kept.map { wall[$0] }
    thread = kept.map { thread[$0] }
    queue = kept.map { queue[$0] }
    hop = kept.map { hop[$0] }
    kind = kept.map { kind[$0] }
    level = kept.map { level[$0] }
    marks = kept.map { marks[$0] }
    stack = kept.map { stack[$0] }
    texts.keep(kept)
  }
}
