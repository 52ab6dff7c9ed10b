import LogReading
import CrashAnalysis
import CrashscanOutput
import Glibc
import IncidentModel
import CLogFormat

/// Follows the runs that write the log at a path: waits for a log, reads it, and detects its end
/// and the next run.
struct WatchSession {
  private(set) var state: WatchState
  private var tail: LogTail?
  private var waitsForNext: Bool
  private let waits = OwnWait.Reader(symbols: SymbolicatedFrames(symbolDirectories: []))

  // The maximum number of decoded crumbs per poll; further ones are only counted.
  private static let mostDecoded = 400
  private static let mostSearched = 4000

  /// Creates a session.
  ///
  /// - Parameter waitsForNext: True to continue with the next run after one has ended.
  init(path: String, waitsForNext: Bool) {
    state = WatchState(path: path)
    self.waitsForNext = waitsForNext
  }

  /// The threads of the run, by ordinal.
  var threads: [Int: IncidentThread] { tail?.threads ?? [:] }

  /// The ending of the run; nil while it lasts.
  private(set) var ending: RunEnding?

  /// The result of a poll.
  struct Poll {
    var hasBegun = false
    var crumbs: [Crumb] = []
    /// The ending of the run, if the poll found it.
    var end: (ending: RunEnding, words: String)?
  }

  /// Polls the log once.
  mutating func look(filter: WatchFilter, decodesAll: Bool = false) throws(LogReadingError) -> Poll
  {
    let now = monotonicNow()
    var look = Poll()
    if tail == nil || ending != nil { look.hasBegun = open(now) }
    guard let tail, ending == nil else {
      state.turn(to: now)
      return look
    }
    let fresh = try tail.poll()
    state.losses = tail.status.losses
    state.hangingSince = tail.status.hangingSince
    state.hanging = tail.status.signs.hanging
    look.crumbs = take(fresh, filter, decodesAll: decodesAll)
    if tail.status.ending != .running {
      ending = tail.status.ending
      let words = tail.status.manner.words
      look.end = (tail.status.ending, words)
      state.run = .ended(verdict: words, isClean: tail.status.ending.isClean)
    }
    state.turn(to: now)
    return look
  }

  /// Opens the file at the path if it is a log that was not read yet.
  private mutating func open(_ now: UInt64) -> Bool {
    if let tail, !waitsForNext || !tail.isReplaced { return false }
    // The recorder renames a complete log to its path, so a file that is no log may still be
    // replaced by one.
    guard let opened = try? LogTail(path: state.path) else { return false }
    tail = opened
    ending = nil
    state.now = now
    state.begin(opened.process)
    return true
  }

  /// Counts all crumbs; decodes the newest, and all that affect the state.
  private mutating func take(
    _ news: LogTail.PollResult, _ filter: WatchFilter, decodesAll: Bool
  ) -> [Crumb] {
    guard let tail else { return [] }
    let threads = tail.threads
    var decoded: [Crumb] = []
    let most = filter.isEmpty ? Self.mostDecoded : Self.mostSearched
    let firstDecoded = decodesAll ? 0 : news.count - most
    var index = 0
    news.forEach { event in
      state.count(
        thread: event.thread, threads[event.thread], queue: event.queue,
        isOnMain: event.onMain == .yes, monotonic: event.monotonic)
      if event.kind == .hop, event.messageBytes.isEqual(to: MS_WORD_RUN),
        let took = event.integer(MS_KEY_NANOSECONDS)
      {
        state.addHop(nanoseconds: UInt64(clamping: took))
      }
      let tellsOfWaits = event.categoryBytes.isEqual(to: MS_WORD_WAITING)
      let matters =
        event.kind != .hop && event.kind != .note && event.kind != .uiWork || tellsOfWaits
        || event.categoryBytes.isEqual(to: MS_WORD_SERVICE)
      if index >= firstDecoded || matters {
        var crumb = Crumb(event)
        if tellsOfWaits, event.hasStack { add(placeOf: &crumb, tail.modules) }
        state.add(crumb)
        decoded.append(crumb)
      }
      index += 1
    }
    return decoded
  }
}

extension WatchSession {
  /// Adds the own function that waits, and its service.
  private func add(placeOf crumb: inout Crumb, _ modules: [SeenModule]) {
    guard let stack = crumb.stack else { return }
    waits.begin(modules)
    guard let wait = waits.read(stack, when: crumb.monotonic) else { return }
    crumb.data.append((MS_KEY_FUNCTION, .string(wait.words)))
    if let service = state.service(where: wait.isIn) {
      crumb.data.append((MS_KEY_SERVICE, .string(service)))
    }
  }
}

/// The monotonic clock, in nanoseconds.
func monotonicNow() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

extension RunEnding {
  var exitCode: ExitCode { isClean ? .nothingFound : .findings }
}
