import CLogFormat
import Glibc
import IncidentModel

/// How a run ended, and which crash of its log ended it.
struct JudgedEnding {
  var ending: RunEnding
  /// Nil if no crash did; its number is nil if the header is lost.
  var crash: UInt32??
}

extension LogReader {
  /// How the run stands or ended, as far as its log says.
  func judge(_ progress: ms_log_progress?) throws(LogReadingError) -> JudgedEnding {
    let isWritten = isWritten()
    guard var identity, var progress, var words = try lastWords() else {
      return JudgedEnding(ending: isWritten ? .running : .killed, crash: .some(nil))
    }
    var facts: UInt32 = isWritten ? MS_RUN_IS_WRITTEN.rawValue : 0
    if ms_is_of_another_boot(&identity) { facts |= MS_RUN_OF_ANOTHER_BOOT.rawValue }
    let found = ms_run_ending_of(&identity, &progress, &words, facts)
    let own = RunEnding(found)
    return JudgedEnding(
      ending: own.isWordless ? toldByNext() ?? own : own,
      crash: found.crash == 0 ? nil : .some(found.crash))
  }

  /// Whether the process that writes it lives, by its header alone.
  package var isOfRunningProcess: Bool {
    get throws(LogReadingError) { try judge(readProgress()).ending == .running }
  }

  /// True if the writer is alive. Without the lock there is no writer. With the lock, the process decides, if
  /// it is visible; a process in another container is not.
  private func isWritten() -> Bool {
    guard bytes.isBeingWritten else { return false }
    guard var identity else { return true }
    switch ms_process_look(&identity) {
    case MS_PROCESS_LIVES: return true
    case MS_PROCESS_DEAD: return false
    default: return !bytes.isGivenUpSoon()
    }
  }

  /// The words that the signal handlers wrote into the header.
  func lastWords() throws(LogReadingError) -> ms_last_words? {
    guard identity != nil else { return nil }
    return try bytes.load(ms_last_words.self, at: UInt64(MS_LAST_WORDS_OFFSET))
  }

  /// The other facts about the run in the header.
  func signs(_ clock: LogClock) throws(LogReadingError) -> RunSigns {
    var signs = RunSigns()
    guard let words = try lastWords() else { return signs }
    signs.hasCrashHandler = words.has_handler == 1 ? true : nil
    if words.exit_status > 0, words.exit_status <= 256 {
      signs.exitStatus = Int(words.exit_status) - 1
    }
    signs.takesAsk = words.takes_ask == 1
    if words.hanging_since > 0 { signs.setHanging(number: words.hanging) }
    if words.alive > 0 {
      let time = clock.time(at: words.alive)
      (signs.aliveMonotonic, signs.aliveWall) = (time.monotonic, time.wall)
    }
    return signs
  }
}

extension RunEnding {
  init(_ found: ms_run_ending) {
    let certainty = Certainty(rawValue: found.certainty.rawValue) ?? .possible
    switch found.end {
    case MS_RUN_GOES_ON: self = .running
    case MS_RUN_CLEAN: self = .clean
    case MS_RUN_TERMINATED: self = .terminated(signal: Int(found.signal))
    case MS_RUN_CRASHED: self = .crash(signal: Int(found.signal), certainty)
    case MS_RUN_KILLED_IN_HANG: self = .killedInHang
    case MS_RUN_OUT_OF_MEMORY: self = .outOfMemory(certainty)
    case MS_RUN_REBOOT: self = .reboot
    case MS_RUN_CUT_SHORT: self = .cutShort
    default: self = .killed
    }
  }
}
