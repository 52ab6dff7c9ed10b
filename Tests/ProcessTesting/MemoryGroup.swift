import Foundation
import Glibc

/// A control group with little memory, in which the kernel kills whoever needs more. Making one takes
/// the right to, and a kernel that counts memory by group.
public final class MemoryGroup {
  private let path: String

  /// Nil where none can be made.
  public init?() {
    let root = "/sys/fs/cgroup"
    let name = "mainstay-tests-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    let limits =
      Self.hasMemory(root)
      ? ["memory.max": Self.limit, "memory.swap.max": "0"]
      : ["memory.limit_in_bytes": Self.limit]
    path = (Self.hasMemory(root) ? root : root + "/memory") + "/" + name
    guard mkdir(path, 0o755) == 0 else { return nil }
    for (file, limit) in limits {
      // What there is no swap to limit need not be limited.
      guard Self.write(limit, to: path + "/" + file) || file == "memory.swap.max" else {
        return nil
      }
    }
    _ = Self.write(Self.limit, to: path + "/memory.memsw.limit_in_bytes")
  }

  deinit { rmdir(path) }

  /// How much memory there is for all who are in it.
  public static let bytes = 96 << 20

  private static let limit = "\(bytes)"

  /// The words that let a shell run what follows in this group.
  public var command: [String] {
    ["-c", "echo $$ >\"$0\" && exec \"$@\"", path + "/cgroup.procs"]
  }

  private static func hasMemory(_ group: String) -> Bool {
    let controllers = try? String(
      contentsOfFile: group + "/cgroup.subtree_control", encoding: .utf8)
    return controllers?.split(whereSeparator: \.isWhitespace).contains("memory") ?? false
  }

  private static func write(_ text: String, to path: String) -> Bool {
    let file = open(path, O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    return text.utf8.withContiguousStorageIfAvailable {
      Glibc.write(file, $0.baseAddress, $0.count) == $0.count
    } ?? false
  }
}
