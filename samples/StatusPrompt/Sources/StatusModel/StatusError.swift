/// Why a status could not be fetched or saved, in words for the user.
package struct StatusError: Error, Sendable, Hashable {
  package let reason: String

  package init(_ reason: String) { self.reason = reason }
}
