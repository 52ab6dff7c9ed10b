internal import CInterposers
import Glibc

/// A known blocking call, which is not reported.
public struct BlockingAllowance: Sendable, Hashable {
  enum Subject: Sendable { case call, library }

  let subject: Subject
  let name: String

  /// Covers calls of this function of the C library, such as `flock`.
  public static func call(_ name: String) -> BlockingAllowance {
    BlockingAllowance(subject: .call, name: name)
  }

  /// Covers calls with code of this shared library on the stack, such as `libpq.so`, in any version.
  public static func library(_ name: String) -> BlockingAllowance {
    BlockingAllowance(subject: .library, name: name)
  }
}

extension BlockingCalls {
  /// Covers the calls that `allowances` describe, until the process ends. At most 256 allowances of each kind
  /// fit.
  ///
  /// - Returns: True if all allowances fit.
  @discardableResult
  public static func allow(_ allowances: BlockingAllowance...) -> Bool {
    allowances.reduce(true) { fits, allowance in
      // Never freed: any thread may read the name at any time.
      guard let name = strdup(allowance.name) else { return false }
      return switch allowance.subject {
      case .call: ms_blocking_allow_call(name) && fits
      case .library: ms_blocking_allow_library(name) && fits
      }
    }
  }
}
