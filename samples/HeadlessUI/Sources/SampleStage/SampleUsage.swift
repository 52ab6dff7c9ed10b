/// A command line that a sample's program does not understand.
public struct SampleUsage: Error, CustomStringConvertible {
  /// What was not understood.
  public let description: String

  init(_ description: String) { self.description = description }

  /// The exit status for it, by sysexits.h.
  public static let status: Int32 = 64
}
