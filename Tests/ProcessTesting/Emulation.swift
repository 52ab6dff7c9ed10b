import Glibc
public import Testing

/// Whether qemu runs this program: scripts/elsewhere says so by `MAINSTAY_UNDER=qemu`.
public let isUnderQemu = getenv("MAINSTAY_UNDER").map { String(cString: $0) } == "qemu"

extension Trait where Self == ConditionTrait {
  /// A test of something that qemu cannot do.
  public static func notUnderQemu(_ reason: Comment) -> Self {
    .enabled(if: !isUnderQemu, reason)
  }
}
