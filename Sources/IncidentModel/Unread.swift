/// A part of an input that could not be read, and why.
package struct Unread: Hashable, Sendable {
  /// Why a part could not be read.
  package enum Reason: Hashable, Sendable {
    /// A record was begun and not finished: the process died in the middle of it, or is at it now.
    case unfinished
    /// The bytes are not what was written.
    case damaged
    /// The file ends before its content does.
    case truncated
    /// A word of explanation.
    case other(String)
  }

  /// Where it begins, in bytes from the start of the file.
  package var offset: UInt64
  package var length: UInt64
  package var reason: Reason

  package init(offset: UInt64, length: UInt64, reason: Reason) {
    self.offset = offset
    self.length = length
    self.reason = reason
  }
}
