import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A known problem, whose violations are counted but not reported.
public struct ViolationAllowance: Sendable, Hashable {
  enum Subject: String { case function, file, message, anything }

  let subject: Subject
  let pattern: String

  /// Covers checks in the function of this name, such as `reload` or `reload(_:)`.
  public static func function(_ name: String) -> ViolationAllowance {
    ViolationAllowance(subject: .function, pattern: name)
  }

  /// Covers checks in files whose path ends in `path`, such as `Legacy.swift` or `App/Legacy.swift`.
  public static func file(_ path: String) -> ViolationAllowance {
    ViolationAllowance(subject: .file, pattern: path)
  }

  /// Covers checks whose message contains this text.
  public static func message(_ text: String) -> ViolationAllowance {
    ViolationAllowance(subject: .message, pattern: text)
  }

  private init(subject: Subject, pattern: String) {
    self.subject = subject
    self.pattern = pattern
  }

  /// Parses the syntax of `MAINSTAY_ALLOW`: `file:…`, `function:…`, `message:…`, or bare text that matches
  /// any of the three.
  init(parsing text: String) {
    let parts = text.split(separator: ":", maxSplits: 1)
    if parts.count == 2, let subject = Subject(rawValue: trimmed(parts[0])), subject != .anything {
      self.init(subject: subject, pattern: trimmed(parts[1]))
    } else {
      self.init(subject: .anything, pattern: text)
    }
  }

  /// True if this allowance covers a violation at `site`.
  package func covers(_ site: CallSite?, message: @autoclosure () -> String) -> Bool {
    switch subject {
    case .function: return coversFunction(of: site)
    case .file: return coversFile(of: site)
    case .message: return contains(message())
    case .anything:
      return coversFunction(of: site) || coversFile(of: site) || contains(message())
    }
  }

  private func coversFunction(of site: CallSite?) -> Bool {
    guard let name = site?.function.description else { return false }
    return name == pattern || name.hasPrefix(pattern + "(")
  }

  private func coversFile(of site: CallSite?) -> Bool {
    guard let path = site?.file.description else { return false }
    return path == pattern || path.hasSuffix("/" + pattern)
  }

  private func contains(_ message: String) -> Bool {
    guard !pattern.isEmpty else { return false }
    var rest = message[...]
    while !rest.isEmpty {
      if rest.hasPrefix(pattern) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}

extension ViolationAllowance: CustomStringConvertible {
  /// The allowance in the syntax of `MAINSTAY_ALLOW`.
  public var description: String {
    subject == .anything ? pattern : "\(subject):\(pattern)"
  }
}

/// The known problems of this process, from code and from `MAINSTAY_ALLOW`.
public enum ViolationAllowList {
  /// Adds `allowances` to the list.
  public static func add(_ allowances: ViolationAllowance...) {
    entries.withLock { $0 += allowances.map { Entry(allowance: $0, hidden: 0) } }
  }

  /// The number of violations that each allowance has hidden so far.
  public static var hiddenCounts: [ViolationAllowance: Int] {
    entries.withLock { entries in
      entries.reduce(into: [:]) { $0[$1.allowance, default: 0] += $1.hidden }
    }
  }

  /// True if an allowance covers the violation; if so, counts the violation as hidden.
  static func hides(_ site: CallSite?, message: () -> String) -> Bool {
    // The message is user code: evaluated outside the lock, at most once.
    let allowances = entries.withLock { $0.map(\.allowance) }
    lazy var text = message()
    guard let found = allowances.firstIndex(where: { $0.covers(site, message: text) }) else {
      return false
    }
    entries.withLock { $0[found].hidden += 1 }
    summaryAtExit.run { atexit { ViolationAllowList.summarise() } }
    return true
  }

  private static func summarise() {
    for (allowance, count) in hiddenCounts where count > 0 {
      let violations = count == 1 ? "1 violation" : "\(count) violations"
      writeLine(
        "mainstay: the allow list hid \(violations) that \(count == 1 ? "matches" : "match") \(allowance)"
      )
    }
  }

  private struct Entry {
    let allowance: ViolationAllowance
    var hidden: Int
  }

  private static let entries = Mutex<[Entry]>(
    Environment.current.allowances.map { Entry(allowance: $0, hidden: 0) })
  private static let summaryAtExit = Once()
}
