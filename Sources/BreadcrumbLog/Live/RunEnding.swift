import CBreadcrumbLog
import Glibc
import IncidentModel

/// How a run ended, by the last words of its log.
package enum RunEnding: Sendable, Hashable {
  case running
  /// It closed its log, or exited by itself.
  case clean
  /// It was asked to end, by this signal, and did not exit by itself.
  case terminated(signal: Int)
  case crash(signal: Int)
  /// It was killed while its main queue did not answer.
  case killedInHang
  /// It was killed without a word.
  case killed
  /// The machine went down under it.
  case reboot
  /// Its log was cut short by somebody else.
  case cutShort
}

extension LogReader {
  /// How the run stands or ended, as far as its log says.
  func runEnding(_ progress: ms_log_progress?) throws(LogReadingError) -> RunEnding {
    let words = try lastWords()
    switch ending(progress) {
    case .running: return .running
    case .clean: return .clean
    case .cutShort: return words.flatMap(crash) ?? .cutShort
    case .sudden: break
    }
    guard let words else { return .killed }
    if let crash = crash(words) { return crash }
    if isOfAnotherBoot { return .reboot }
    if 1...64 ~= words.asked_to_end { return .terminated(signal: Int(words.asked_to_end)) }
    return words.hanging_since != 0 ? .killedInHang : .killed
  }

  /// What the crash handler wrote into the header.
  func lastWords() throws(LogReadingError) -> ms_last_words? {
    guard identity != nil else { return nil }
    return try bytes.load(ms_last_words.self, at: UInt64(MS_LAST_WORDS_OFFSET))
  }

  private func crash(_ words: ms_last_words) -> RunEnding? {
    1...64 ~= words.crash_signal ? .crash(signal: Int(words.crash_signal)) : nil
  }

  private var isOfAnotherBoot: Bool {
    guard let identity else { return false }
    var boot = identity.boot
    var now = boot
    guard ms_boot_id(&now.0) else { return false }
    return memcmp(&boot, &now, MemoryLayout.size(ofValue: boot)) != 0
  }
}
