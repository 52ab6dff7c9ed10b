internal import CInterposers
import Glibc

/// A call that may block a thread anywhere: a known problem.
public struct BlockingAllowance: Sendable, Hashable {
  enum Subject: Sendable { case call, library }

  let subject: Subject
  let name: String

  /// Covers calls of this function of the C library, such as `flock`.
  public static func call(_ name: String) -> BlockingAllowance {
    BlockingAllowance(subject: .call, name: name)
  }

  /// Covers calls by a shared library or on its behalf: `libpq.so`, in any version.
  public static func library(_ name: String) -> BlockingAllowance {
    BlockingAllowance(subject: .library, name: name)
  }
}

extension BlockingCalls {
  /// Covers what any of `allowances` describes, for as long as the process lives. There is room for 32 of each
  /// kind.
  ///
  /// - Returns: Whether there was room for all.
  @discardableResult
  public static func allow(_ allowances: BlockingAllowance...) -> Bool {
    allowances.reduce(true) { fits, allowance in
      // Kept for good: a thread that is judged may read it at any time.
      guard let name = strdup(allowance.name) else { return false }
      return switch allowance.subject {
      case .call: ms_blocking_allow_call(name) && fits
      case .library: ms_blocking_allow_library(name) && fits
      }
    }
  }
}
