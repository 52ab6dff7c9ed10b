import IncidentModel
import CLogFormat

/// The calls of hops that have arrived and not run, in the order of arrival.
///
/// Each line holds the calls among which the order matters: the calls to one object or, if the log
/// does not record the object, the calls of hops of one name.
struct CallsOnTheWay {
  private struct Call {
    var line: Int
    /// The time at which the sender was first seen to continue: by then the hop had enqueued the
    /// call.
    var wentOn: UInt64?
    var stack: Int
  }

  private var lines: [Int: [UInt64]] = [:]
  private var calls: [UInt64: Call] = [:]
  /// The last call that each thread sent; removed when the thread is seen again.
  private var latest: [Int: UInt64] = [:]
  private var stacks = SentStacks()
  private let mostLines = 4096
  private let mostEmptyLines = 1024
  private let mostInLine = 256
  private let mostBefore = 64
  private let mostThreads = 1 << 14

  /// The maximum difference between the clocks of two threads, in nanoseconds.
  static let doubt: UInt64 = 1_000

  /// Observes an event of any kind, which proves that its thread has continued.
  mutating func see(_ event: Event) {
    // A signal handler may interrupt a call that is not enqueued yet.
    if event.marks.contains(.interrupting) { return }
    guard let sent = latest.removeValue(forKey: event.thread) else { return }
    calls[sent]?.wentOn = event.monotonic
  }

  /// Adds a call that has just arrived.
  mutating func arrive(_ id: UInt64, _ event: Event) {
    if lines.count >= mostLines {
      lines.removeAll()
      calls.removeAll()
    }
    if latest.count >= mostThreads { latest.removeAll() }
    let line = Self.line(of: event)
    // The oldest call may have run unrecorded, because crumbs are overwritten.
    if lines[line, default: []].count >= mostInLine {
      calls[lines[line]!.removeFirst()] = nil
    }
    lines[line, default: []].append(id)
    calls[id] = Call(line: line, stack: stacks.keep(event, of: id))
    latest[event.thread] = id
  }

  /// Removes a call that ran, was dropped or is no longer watched. Returns the most recent earlier
  /// calls in its line that are still pending.
  @discardableResult
  mutating func leave(_ id: UInt64) -> [UInt64] {
    guard let line = calls.removeValue(forKey: id)?.line,
      let place = lines[line]?.firstIndex(of: id)
    else { return [] }
    let before = place == 0 ? [] : Array(lines[line]![..<place].suffix(mostBefore))
    lines[line]!.remove(at: place)
    // Keep a few empty lines for the next call; many would fill the table.
    if lines.count > mostEmptyLines, lines[line]!.isEmpty { lines[line] = nil }
    return before
  }

  /// True if a pending call had been enqueued before another call arrived at `time`.
  func isTakenIn(_ id: UInt64, by time: UInt64) -> Bool {
    guard let wentOn = calls[id]?.wentOn else { return false }
    return wentOn &+ Self.doubt <= time
  }

  /// The index of the stack of a pending call.
  func stackPlace(of id: UInt64) -> Int? { calls[id]?.stack }

  /// Returns the stack that sent a call, innermost first; empty if it is no longer kept.
  func stack(of id: UInt64, at place: Int?) -> [FrameAddress] {
    place.map { stacks.frames(at: $0, of: id) } ?? []
  }

  private static func line(of event: Event) -> Int {
    let target = event.integer(MS_KEY_OBJECTS).map { HopJoin.Objects($0).target } ?? 0
    if target != 0 { return FindingKey("target", Int(target)).identity }
    return FindingKey("name", (event.text(MS_KEY_NAME) ?? "").hashValue).identity
  }
}

/// The stacks of the most recent calls, in a ring buffer of fixed size.
private struct SentStacks {
  private static let room = 4096
  private static let depth = 16
  private var addresses: [UInt64] = []
  private var owners: [(id: UInt64, count: Int)] = []
  private var next = 0

  /// Keeps the innermost frames of an event's stack, and returns their index.
  mutating func keep(_ event: Event, of id: UInt64) -> Int {
    if owners.isEmpty {
      addresses = [UInt64](repeating: 0, count: Self.room * Self.depth)
      owners = Array(repeating: (0, 0), count: Self.room)
    }
    let place = next
    next = (next + 1) % Self.room
    let bytes = event.addresses
    let count = min(bytes.count / 8, Self.depth)
    for frame in 0..<count {
      addresses[place * Self.depth + frame] = bytes.loadUnaligned(
        fromByteOffset: frame * 8, as: UInt64.self)
    }
    owners[place] = (id, count)
    return place
  }

  func frames(at place: Int, of id: UInt64) -> [FrameAddress] {
    guard owners[place].id == id else { return [] }
    let start = place * Self.depth
    return addresses[start..<start + owners[place].count].map(FrameAddress.init(word:))
  }
}
