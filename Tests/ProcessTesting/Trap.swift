import Glibc

/// What Swift and Dispatch end a process by where it cannot go on: an instruction that traps.
public enum Trap {
  #if arch(x86_64)
    public static let signal = SIGILL
    public static let name = "SIGILL"
  #else
    public static let signal = SIGTRAP
    public static let name = "SIGTRAP"
  #endif
}
