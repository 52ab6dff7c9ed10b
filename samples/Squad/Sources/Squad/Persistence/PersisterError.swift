/// Why a file was of no use.
package enum PersisterError: Error, Sendable, Hashable {
  /// It is there, but may not be read.
  case unreadable
  /// What it says is no value of that kind; it was put aside.
  case damaged
  /// The disk is full, or not ours to write to.
  case unwritable
}
