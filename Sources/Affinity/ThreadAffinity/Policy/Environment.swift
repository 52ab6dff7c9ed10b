internal import CRecorder
import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The settings from the environment, read when the first violation or policy needs them.
///
/// `MAINSTAY_POLICY=log,record; com.example.db=trap,always` sets a policy for all affinities and one
/// for the affinity of that name. `MAINSTAY_ALLOW=file:Legacy.swift; message:old layout` adds to the
/// allow-list. `MAINSTAY_ISOLATION=soft` keeps a process alive whose isolation checks fail.
struct Environment {
  var allowances: [ViolationAllowance] = []
  private var policy: ViolationPolicy?
  private var named: [String: ViolationPolicy] = [:]
  private let announced = Once()
  /// True if failed isolation checks of the Swift runtime are reported, but do not end the process.
  let hasSoftIsolation: Bool

  /// `MAINSTAY=off` ignores all violations, and other settings.
  static let current =
    ms_is_off()
    ? Environment(policy: "ignore", allow: nil)
    : Environment(
      policy: variable("MAINSTAY_POLICY"), allow: variable("MAINSTAY_ALLOW"),
      isolation: variable("MAINSTAY_ISOLATION"))

  init(policy: String?, allow: String?, isolation: String? = nil) {
    hasSoftIsolation = isolation == "soft"
    if let isolation, !["soft", "trap"].contains(isolation) {
      writeLine("mainstay: MAINSTAY_ISOLATION: \"\(isolation)\" is not valid; use soft or trap")
    }
    for clause in Environment.clauses(of: policy) { readPolicy(clause) }
    for clause in Environment.clauses(of: allow) {
      allowances.append(ViolationAllowance(parsing: clause))
    }
  }

  func policy(for name: String) -> ViolationPolicy? { named[name] ?? policy }

  /// Prints once that the environment overrides a policy set in code.
  func announce(overriding what: String) {
    guard policy != nil || !named.isEmpty, !ms_is_off() else { return }
    announced.run { writeLine("mainstay: MAINSTAY_POLICY overrides \(what)") }
  }

  private mutating func readPolicy(_ clause: String) {
    let parts = clause.split(separator: "=", maxSplits: 1).map { trimmed($0) }
    guard let words = parts.last, let parsed = ViolationPolicy(parsing: words) else {
      writeLine(
        "mainstay: MAINSTAY_POLICY: \"\(clause)\" is not valid; \(ViolationPolicy.grammar)")
      return
    }
    if parts.count == 2 { named[parts[0]] = parsed } else { policy = parsed }
  }

  private static func clauses(of variable: String?) -> [String] {
    (variable ?? "").split(separator: ";").map { trimmed($0) }.filter { !$0.isEmpty }
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}

extension ViolationPolicy {
  static let grammar = "use ignore, log, record, trap, once, always or every:N, separated by commas"

  /// Parses the syntax of `MAINSTAY_POLICY`; returns nil at an unknown word.
  init?(parsing text: String) {
    self.init([])
    for word in text.split(separator: ",").map({ trimmed($0) }) {
      switch word {
      case "ignore": break
      case "log": actions.insert(.log)
      case "record": actions.insert(.record)
      case "trap": actions.insert(.trap)
      case "once": frequency = .once
      case "always": frequency = .always
      default:
        guard word.hasPrefix("every:"), let n = Int(word.dropFirst(6)), n > 0 else { return nil }
        frequency = .every(n)
      }
    }
  }
}

/// Runs a closure at most once.
final class Once: Sendable {
  private let done = Atomic<Bool>(false)

  func run(_ body: () -> Void) {
    if !done.exchange(true, ordering: .acquiringAndReleasing) { body() }
  }
}

func trimmed(_ text: Substring) -> String {
  var rest = text.drop { $0 == " " }
  while rest.last == " " { rest.removeLast() }
  return String(rest)
}

/// Writes a line to standard error, in a single `write` if the kernel accepts it whole.
package func writeLine(_ line: String) {
  var text = line + "\n"
  text.withUTF8 { bytes in
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = write(2, UnsafeBufferPointer(rebasing: rest).baseAddress, rest.count)
      if written <= 0 { return }
      rest = rest.dropFirst(written)
    }
  }
}
