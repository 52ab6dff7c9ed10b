import Dispatch
import Glibc

/// What has begun and has not come to its end yet.
let work = DispatchGroup()

/// Ends the program as it should end, once all work has ended, and what that sent to the main queue.
func finish() {
  work.notify(queue: .main) { exit(0) }
}

/// Goes on once a text is in the log of this process. It waits on a queue of its own: the pool of tasks has its
/// threads from the global one.
func whenOnFile(_ text: String, _ next: @escaping @Sendable () -> Void) {
  DispatchQueue(label: "com.example.log").async {
    let buffer = UnsafeMutableRawPointer.allocate(byteCount: 1 << 20, alignment: 4096)
    defer { buffer.deallocate() }
    while !isOnFile(text, buffer, 1 << 20) { usleep(2_000) }
    next()
  }
}

/// Calls `next` once a hang is on file that somebody is to blame for: where there are too few processors, the first that is
/// told may be nobody's fault.
func whenHangIsOnFile(_ next: @escaping @Sendable () -> Void) {
  whenOnFile("doingblocked", next)
}

/// Whether a text is in the log of this process, read through `buffer`.
func isOnFile(_ text: String, _ buffer: UnsafeMutableRawPointer, _ size: Int) -> Bool {
  let log = open(arguments[3], O_RDONLY | O_CLOEXEC)
  defer { close(log) }
  let wanted = Array(text.utf8)
  var place = 0
  while true {
    let count = pread(log, buffer, size, off_t(place))
    if count < wanted.count { return false }
    var start = buffer
    while let first = memchr(start, Int32(wanted[0]), buffer + count - start),
      buffer + count - first >= wanted.count
    {
      if memcmp(first, wanted, wanted.count) == 0 { return true }
      start = first + 1
    }
    // What begins at the end of one part is whole in the next.
    place += count - wanted.count + 1
  }
}

/// A thread that is going to wait, for others that go on once it does.
final class Waiter: Sendable {
  private let begun = DispatchSemaphore(value: 0)
  nonisolated(unsafe) private var state: Int32 = -1

  /// Called by that thread, last before it waits.
  func waitsNext() {
    state = open("/proc/thread-self/stat", O_RDONLY | O_CLOEXEC)
    begun.signal()
  }

  /// Returns when the kernel says that the thread sleeps.
  func untilItWaits() {
    begun.wait()
    while !isAsleep { usleep(1_000) }
  }

  private var isAsleep: Bool {
    var text = [UInt8](repeating: 0, count: 512)
    let count = pread(state, &text, text.count, 0)
    // Its number, its name in parentheses, and a letter.
    let end = text[..<max(count, 0)].lastIndex(of: UInt8(ascii: ")"))
    guard let name = end else { return false }
    return text[name + 2] == UInt8(ascii: "S")
  }
}
