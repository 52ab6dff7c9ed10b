/// How much a finding matters.
package enum Severity: String, Sendable, Codable, CaseIterable, Comparable {
  case note, warning, error

  package static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

  private var rank: Int {
    switch self {
    case .note: 0
    case .warning: 1
    case .error: 2
    }
  }
}
