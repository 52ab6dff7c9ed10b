import CLogFormat
import Glibc
import IncidentModel

/// The logs that a recorder keeps under one path: `breadcrumbs.log` is the newest,
/// `breadcrumbs.1.log` is the previous one, and so on.
package struct LogFamily {
  private let directory: Substring
  private let stem: Substring
  private let suffix: Substring

  /// Creates the family that contains the log at `path`, which may be the newest or an older one.
  package init(of path: String) {
    let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
    directory = path[..<name.startIndex]
    let (stem, suffix) = Self.split(name)
    if let inner = Self.withoutNumber(stem) {
      (self.stem, self.suffix) = (inner, suffix)
    } else if !suffix.isEmpty, suffix.dropFirst().isNumber {
      // A log `breadcrumbs` without a suffix is kept as `breadcrumbs.1`.
      (self.stem, self.suffix) = (stem, "")
    } else {
      (self.stem, self.suffix) = (stem, suffix)
    }
  }

  /// The maximum number of older logs in a family.
  private static let most = 1000

  /// The paths of the existing logs, newest first, up to the first missing number.
  package var paths: [String] {
    let kept = (1...Self.most).lazy.map { "\(directory)\(stem).\($0)\(suffix)" }
    return ["\(directory)\(stem)\(suffix)"].filter(LogReader.recognises)
      + kept.prefix { access($0, F_OK) == 0 }.filter(LogReader.recognises)
  }

  /// True if `path` has the name of the family's newest log.
  package func isNewest(_ path: String) -> Bool { path == "\(directory)\(stem)\(suffix)" }

  private static func split(_ name: Substring) -> (stem: Substring, suffix: Substring) {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return (name, "") }
    return (name[..<dot], name[dot...])
  }

  private static func withoutNumber(_ stem: Substring) -> Substring? {
    let (inner, number) = split(stem)
    return number.dropFirst().isNumber ? inner : nil
  }
}

extension Substring {
  fileprivate var isNumber: Bool { !isEmpty && allSatisfy { ("0"..."9").contains($0) } }
}

extension LogReader {
  /// The ending of this run as the next run recorded it. The next run's log is in the same family
  /// and contains the id of the recording before it.
  func toldByNext() -> RunEnding? {
    wordsOfNext().map { RunEnding(ms_told_ending($0.before_ending)) }
  }

  /// The state of the search for a kill of this run for lack of memory.
  func memoryKills() throws(LogReadingError) -> MemoryKills {
    guard let words = try lastWords(), words.oom_kills > 0, words.oom_group > 0 else {
      return .unknown
    }
    guard let next = wordsOfNext() else { return .awaitNextRun }
    let isSame = next.oom_group == words.oom_group && next.oom_kills == words.oom_kills
    return isSame ? .none : .unknown
  }

  private func wordsOfNext() -> ms_last_words? {
    guard !bytes.path.isEmpty, let identity else { return nil }
    for path in LogFamily(of: bytes.path).paths where path != bytes.path {
      guard let next = try? LogReader(path: path), let words = try? next.lastWords(),
        words.before_salt == identity.salt
      else { continue }
      return words
    }
    return nil
  }

  /// The older logs of the same program in the same directory; empty unless this log has the name
  /// of the newest one.
  package var olderLogs: [String] {
    let family = LogFamily(of: bytes.path)
    guard family.isNewest(bytes.path), let own = executable else { return [] }
    return family.paths.filter { path in
      path != bytes.path && (try? LogReader(path: path))?.executable == own
    }
  }

  private var executable: String? { process(makeClock(nil, []))?.executable }
}
