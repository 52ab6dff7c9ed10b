import Glibc
import ProcessReading

/// The state of a process, from `/proc/PID/stat`.
struct ProcessState {
  let parent: pid_t
  /// The kernel's state letter: `R`, `S`, `T` (stopped), `t` (stopped by a debugger), `Z` (ended).
  let letter: Character
  /// The processor time of the process and of its reaped children, in clock ticks.
  let ticks: UInt64

  init?(of id: pid_t) {
    guard let text = ProcessFiles.text("/proc/\(id)/stat"), let end = text.lastIndex(of: ")") else {
      return nil
    }
    // The name is in parentheses and may contain any characters.
    let fields = text[end...].dropFirst().split(separator: " ")
    guard fields.count > 14, let letter = fields[0].first, let parent = pid_t(fields[1]) else {
      return nil
    }
    self.letter = letter
    self.parent = parent
    ticks = fields[11...14].reduce(0) { $0 &+ (UInt64($1) ?? 0) }
  }

  var isAlive: Bool { letter != "Z" && letter != "X" }
  /// Whether a process has threads. The main thread may be gone while others still hold its files.
  static func isAlive(_ id: pid_t) -> Bool {
    guard let state = ProcessState(of: id) else { return false }
    return state.isAlive || ProcessFiles.names(in: "/proc/\(id)/task").count > 1
  }

  var isStopped: Bool { letter == "T" || letter == "t" }
}

/// The processes of this machine, indexed by parent.
struct ProcessTree {
  private let children: [pid_t: [pid_t]]
  private let states: [pid_t: ProcessState]

  init() {
    var (children, states): ([pid_t: [pid_t]], [pid_t: ProcessState]) = ([:], [:])
    for id in ProcessFiles.names(in: "/proc").compactMap({ pid_t($0) }) {
      guard let state = ProcessState(of: id) else { continue }
      states[id] = state
      children[state.parent, default: []].append(id)
    }
    self.children = children
    self.states = states
  }

  /// Returns the descendants of `root`; each process precedes its children.
  func descendants(of root: pid_t) -> [pid_t] {
    var found: [pid_t] = []
    var open = children[root] ?? []
    while let next = open.popLast() {
      found.append(next)
      open += children[next] ?? []
    }
    return found
  }

  /// Returns the processor time of a process and its descendants, in clock ticks.
  func ticks(of root: pid_t) -> UInt64 {
    ([root] + descendants(of: root)).reduce(0) { $0 &+ (states[$1]?.ticks ?? 0) }
  }
}

/// Determines from `/proc` whether a silent process may continue by itself.
enum Liveness {
  /// True if the process is stopped or traced by a debugger, which is not a hang.
  static func isHeld(_ id: pid_t) -> Bool {
    guard let state = ProcessState(of: id) else { return false }
    if state.isStopped { return true }
    let tracer = field("TracerPid:", of: "/proc/\(id)/status")
    return tracer.map { $0 != "0" } ?? false
  }

  /// True if a timer is armed, or if one of the threads waits with a time limit.
  static func waitsForTime(_ id: pid_t, _ threads: [Int]) -> Bool {
    hasArmedTimer(id) || threads.contains { hasLimitedWait(id, $0) }
  }

  /// True if a timerfd expires in more than 1.05 s. Dispatch's internal timer expires every second.
  private static func hasArmedTimer(_ id: pid_t) -> Bool {
    ProcessFiles.names(in: "/proc/\(id)/fdinfo").contains { name in
      guard let text = ProcessFiles.text("/proc/\(id)/fdinfo/\(name)"),
        let line = text.split(separator: "\n").first(where: { $0.hasPrefix("it_value:") })
      else { return false }
      let value = line.split { !$0.isNumber }.compactMap { Double($0) }
      return value.count == 2 && value[0] + value[1] / 1e9 > 1.05
    }
  }

  /// True if a thread sleeps, or waits for a futex or for input with a time limit.
  private static func hasLimitedWait(_ id: pid_t, _ thread: Int) -> Bool {
    let words = ProcessFiles.text("/proc/\(id)/task/\(thread)/syscall")?.split(separator: " ") ?? []
    guard let call = words.first.flatMap({ Int($0) }), words.count > 6 else { return false }
    if sleepCalls.contains(call) { return true }
    if let limit = limitedCalls[call] { return words[limit + 1] != "0x0" }
    if let limit = countedCalls[call] {
      return UInt32(truncatingIfNeeded: UInt64(words[limit + 1].dropFirst(2), radix: 16) ?? 0)
        < UInt32(Int32.max)
    }
    return false
  }

  // Numbers of system calls. `limitedCalls` and `countedCalls` have the index of the argument with the time limit: a pointer,
  // or a number of milliseconds.
  #if arch(x86_64)
    private static let sleepCalls: Set = [35, 230]
    private static let limitedCalls = [202: 3, 271: 2, 270: 4, 23: 4, 128: 2]
    private static let countedCalls = [7: 2, 232: 3, 281: 3]
  #else
    private static let sleepCalls: Set = [101, 115]
    private static let limitedCalls = [98: 3, 73: 2, 72: 4, 137: 2]
    private static let countedCalls = [22: 3]
  #endif

  private static func field(_ name: String, of path: String) -> String? {
    ProcessFiles.text(path)?.split(separator: "\n").first { $0.hasPrefix(name) }
      .map { $0.dropFirst(name.count).filter { !$0.isWhitespace } }
  }
}
