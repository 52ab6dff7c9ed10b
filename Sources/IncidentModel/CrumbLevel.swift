/// How much a crumb matters.
package enum CrumbLevel: UInt8, Sendable, Comparable, CaseIterable {
  case debug, info, notice, warning, error, fatal

  package static func < (lhs: CrumbLevel, rhs: CrumbLevel) -> Bool { lhs.rawValue < rhs.rawValue }

  /// The name that output uses.
  package var name: String { "\(self)" }
}
