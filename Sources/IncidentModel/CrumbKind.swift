import LogWords

/// What a crumb tells of.
package enum CrumbKind: UInt8, Sendable, CaseIterable {
  case note = 0
  case lifecycle = 1
  case uiWork = 2
  case violation = 3
  case hop = 4
  case backgroundTask = 5
  case hang = 6
  case error = 7

  /// The name that output uses.
  package var name: String {
    switch self {
    case .note: "note"
    case .lifecycle: "lifecycle"
    case .uiWork: "ui-work"
    case .violation: "violation"
    case .hop: "hop"
    case .backgroundTask: "background-task"
    case .hang: "hang"
    case .error: "error"
    }
  }
}

extension CrumbKind {
  /// Whether a value of such a crumb says nothing to a person: which hop a call came to and whom it is
  /// for are numbers to compare.
  package func isMark(_ key: String) -> Bool { self == .hop && key == LogKey.objects }
}
