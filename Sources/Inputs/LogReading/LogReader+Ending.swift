import CLogFormat
import Glibc
import IncidentModel

/// The ending of a run, and the crash in its log that caused it.
struct JudgedEnding {
  var ending: RunEnding
  /// The number of the crash. Outer nil: no crash ended the run. Inner nil: the header is lost.
  var crash: UInt32??
}

extension LogReader {
  /// Returns the state or the ending of the run, according to its log and the log of the next run.
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

  /// True if the process that writes the log is alive, according to the header and the writer's
  /// lock.
  package var isOfRunningProcess: Bool {
    get throws(LogReadingError) { try judge(readProgress()).ending == .running }
  }

  /// True if the writer is alive. If the lock is free, there is no writer. If the lock is held, the
  /// process's state decides; a process in another container is not visible, and the lock decides
  /// alone.
  private func isWritten() -> Bool {
    guard bytes.isBeingWritten else { return false }
    guard var identity else { return true }
    switch ms_process_look(&identity) {
    case MS_PROCESS_LIVES: return true
    case MS_PROCESS_DEAD: return false
    default: return !bytes.isGivenUpSoon()
    }
  }

  /// The part of the header that the signal handlers write.
  func lastWords() throws(LogReadingError) -> ms_last_words? {
    guard identity != nil else { return nil }
    return try bytes.load(ms_last_words.self, at: UInt64(MS_LAST_WORDS_OFFSET))
  }

  /// The facts about the run in the header, besides the ending.
  func signs(_ clock: LogClock) throws(LogReadingError) -> RunSigns {
    var signs = RunSigns()
    signs.missingFeatures = missingFeatures
    guard let words = try lastWords() else { return signs }
    signs.hasCrashHandler = words.has_handler == MS_HANDLER_INSTALLED.rawValue ? true : nil
    signs.isOfCrashscan = words.has_handler == MS_HANDLER_OF_RUN.rawValue
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
