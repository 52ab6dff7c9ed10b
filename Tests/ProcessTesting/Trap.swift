import Glibc

/// What Swift and Dispatch end a process by where it cannot go on: an instruction that traps.
public enum Trap {
  #if arch(x86_64)
    /// The signal that it raises.
    public static let signal = SIGILL
  #else
    /// The signal that it raises.
    public static let signal = SIGTRAP
  #endif

  /// That signal's name.
  public static let name = signal == SIGILL ? "SIGILL" : "SIGTRAP"
}
