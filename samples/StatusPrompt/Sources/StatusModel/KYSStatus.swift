/// What somebody's last check has said.
package enum KYSStatus: String, Sendable, Hashable, Codable, CaseIterable {
  case positive
  case negative
}
