import CrashscanOutput
import Glibc

/// Reads keys from a terminal.
struct KeyReader {
  private var bytes: [UInt8] = []
  private(set) var hasEnded = false

  /// Returns the keys that have arrived; waits for a key up to the limit.
  mutating func keys(waitingMilliseconds limit: Int32) -> [WatchKey] {
    var descriptor = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    guard poll(&descriptor, 1, limit) > 0 else {
      // An escape byte is the escape key if no byte follows in time.
      if bytes == [0x1B] {
        bytes = []
        return [.escape]
      }
      return []
    }
    var room = [UInt8](repeating: 0, count: 1024)
    let got = read(STDIN_FILENO, &room, room.count)
    if got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN) { hasEnded = true }
    if got > 0 { bytes += room[..<got] }
    var keys: [WatchKey] = []
    while let key = next() { key.map { keys.append($0) } }
    return keys
  }

  /// Returns the next key. Outer nil: end of input. Inner nil: unrecognized key.
  private mutating func next() -> WatchKey?? {
    guard let first = bytes.first else { return nil }
    if first == 0x1B { return escaped() }
    let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    guard bytes.count >= length else { return nil }
    let text = String(decoding: bytes.prefix(length), as: UTF8.self)
    bytes.removeFirst(length)
    switch first {
    case 0x09: return .some(.tab)
    case 0x0A, 0x0D: return .some(.enter)
    case 0x7F, 0x08: return .some(.backspace)
    case ..<0x20: return .some(nil)
    default: return .some(text.first.map { .character($0) })
    }
  }

  private mutating func escaped() -> WatchKey?? {
    guard bytes.count > 1 else { return nil }
    guard bytes[1] == UInt8(ascii: "[") || bytes[1] == UInt8(ascii: "O") else {
      bytes.removeFirst()
      return .some(.escape)
    }
    guard let end = bytes.dropFirst(2).firstIndex(where: { $0 >= 0x40 && $0 <= 0x7E }) else {
      return nil
    }
    let sequence = String(decoding: bytes[2...end], as: UTF8.self)
    bytes.removeFirst(end + 1)
    switch sequence {
    case "A": return .some(.up)
    case "B": return .some(.down)
    case "H", "1~", "7~": return .some(.home)
    case "F", "4~", "8~": return .some(.end)
    case "5~": return .some(.pageUp)
    case "6~": return .some(.pageDown)
    case "Z": return .some(.backTab)
    default: return .some(nil)
    }
  }
}
