/// Parses the mapped ranges of a process from `/proc/PID/maps`.
enum ProcessMaps {
  /// Parses lines of the form `start-end rwxp offset device inode path`; skips all other lines.
  static func parse(_ text: some Sequence<UInt8>) -> [FileMapping] {
    Array(text).split(separator: UInt8(ascii: "\n")).compactMap(mapping)
  }

  private static func mapping(_ line: ArraySlice<UInt8>) -> FileMapping? {
    let words = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
    guard words.count >= 5, words[1].count >= 3 else { return nil }
    let ends = words[0].split(separator: UInt8(ascii: "-"))
    guard ends.count == 2, let start = number(ends[0], 16), let end = number(ends[1], 16),
      start < end, let offset = number(words[2], 16), let inode = number(words[4], 10)
    else { return nil }
    let rights = Array(words[1])
    let path = words.count > 5 ? unescaped(words[5].drop { $0 == UInt8(ascii: " ") }) : ""
    let region = MemoryRegion(
      range: start..<end, isWritable: rights[1] == UInt8(ascii: "w"),
      isExecutable: rights[2] == UInt8(ascii: "x"), path: path)
    return FileMapping(region: region, offset: offset, inode: inode)
  }

  private static func number(_ digits: ArraySlice<UInt8>, _ radix: Int) -> UInt64? {
    UInt64(String(decoding: digits, as: UTF8.self), radix: radix)
  }

  /// The path without escapes. The kernel escapes only the line feed, as `\012`.
  private static func unescaped(_ path: ArraySlice<UInt8>) -> String {
    let text = String(decoding: path, as: UTF8.self)
    return text.split(separator: "\\012", omittingEmptySubsequences: false)
      .joined(separator: "\n")
  }
}
