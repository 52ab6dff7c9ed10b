import IncidentModel
import CLogFormat

/// The most recent list of the threads that stood in one call, or computed, while the process should
/// have made progress: in a slow shutdown, or while a request was in flight for long.
struct StandingThreads {
  struct Thread {
    let holder: Hang.Holder
    /// The kernel id of the thread that owns the awaited lock or runs the awaited queue; nil if
    /// unknown.
    let owner: Int?
    /// The time for which the thread was observed, in nanoseconds: it stood all the time, or used a
    /// processor most of the time.
    let lasted: UInt64
    /// True if the thread ran a cancelled task.
    let isCancelled: Bool

    /// True if the thread sleeps, or waits for input that any other process may send.
    var awaitsInput: Bool {
      holder.doing == .blocked && owner == nil
        && holder.frames.prefix { $0.role != .code }.map(\.place.function).contains(
          where: WaitFunctions.isForInput)
    }
  }

  /// The condition during which the threads were listed.
  private(set) var during = ""
  private(set) var monotonic: UInt64 = 0
  /// The threads; a thread that computed has several entries, one for each of its samples.
  private(set) var threads: [Thread] = []

  /// The maximum number of entries, which bounds the memory for malformed logs.
  private static let most = 128

  var isOfShutdown: Bool { during == MS_WORD_DURING_SHUTDOWN }

  static func areTold(by note: Event) -> Bool {
    NotedWaits.areTold(by: note) && note.integer(MS_KEY_THREAD) != nil
  }

  mutating func observe(_ note: Event, in run: RunState) {
    // The first crumb of a list contains the number of threads.
    if note.integer(MS_KEY_THREADS) != nil {
      self = StandingThreads()
      during = note.text(MS_KEY_DURING) ?? ""
      monotonic = note.monotonic
    }
    guard threads.count < Self.most else { return }
    threads.append(
      Thread(
        holder: Hang.Holder(note, in: run),
        owner: note.integer(MS_KEY_OWNER).map { Int(clamping: $0) },
        lasted: Hang.lasted(note), isCancelled: note[MS_KEY_CANCELLED] == .boolean(true)))
  }

  /// The threads that stood.
  var waiting: [Thread] { threads.filter { $0.holder.doing == .blocked } }

  /// The samples of each thread that computed in a cancelled task.
  var cancelled: [[Thread]] {
    let busy = threads.filter { $0.holder.doing != .blocked && $0.holder.thread != nil }
    return Dictionary(grouping: busy) { $0.holder.thread?.id ?? 0 }.sorted { $0.key < $1.key }
      .map(\.value).filter { $0.contains(where: \.isCancelled) }
  }

  /// The moment of the list, as the beginning of a sentence: `5.1 s after the process was asked to end`.
  func moment(in run: RunState) -> String {
    guard isOfShutdown, let asked = run.askedToEnd, asked <= monotonic else {
      return "while a request was in flight for long"
    }
    return "\(TimeSpan.text(nanoseconds: monotonic - asked)) after the process was asked to end"
  }

  /// Returns evidence about the first threads with code of the program, for an end without a cause.
  ///
  /// - Parameter others: True if other evidence explains the end: then a thread that waits for
  ///   input is omitted, because most such threads serve connections and have nothing to do.
  func evidence(in run: RunState, besides others: Bool) -> [Finding.Evidence] {
    var told: Set<Int> = []
    let owners = Set(threads.compactMap(\.owner))
    func isIdle(_ thread: Thread) -> Bool {
      thread.awaitsInput && !owners.contains(thread.holder.thread?.id ?? 0)
    }
    let idle = threads.filter(isIdle)
    let busy = threads.filter { !isIdle($0) }
    let named = (others ? busy : busy + idle).compactMap { thread -> Finding.Evidence? in
      let reading = run.read(thread.holder.frames)
      guard let id = thread.holder.thread, told.insert(id.id).inserted,
        let place = reading.touched?.place ?? reading.awaiting.first?.frame.place
      else { return nil }
      let name = run.thread(kernelID: id.id, id.name)
      let time = TimeSpan.text(nanoseconds: thread.lasted)
      guard thread.holder.doing == .blocked else {
        return Finding.Evidence(
          "\(moment(in: run)), \(name) had computed for most of \(time)", place: place)
      }
      let owner =
        thread.owner.map { ", for a lock or queue of \(run.thread(kernelID: $0, ""))" } ?? ""
      return Finding.Evidence(
        "\(moment(in: run)), \(name) had waited for \(time)\(owner)", place: place)
    }
    return Array(named.prefix(3))
  }
}
