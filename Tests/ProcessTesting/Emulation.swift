import Glibc
public import Testing

/// Whether qemu runs this program: Tests/Checks/Platforms/elsewhere says so by `MAINSTAY_UNDER=qemu`.
public let isUnderQemu = getenv("MAINSTAY_UNDER").map { String(cString: $0) } == "qemu"

extension Trait where Self == ConditionTrait {
  /// A test of something that qemu cannot do.
  public static func notUnderQemu(_ reason: Comment) -> Self {
    .enabled(if: !isUnderQemu, reason)
  }

  /// A test whose program must find that it writes to a terminal.
  public static var onATerminal: Self {
    .notUnderQemu("qemu knows no TCGETS2, by which glibc 2.42 and later ask for a terminal")
  }
}
