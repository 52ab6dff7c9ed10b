import Glibc

/// A file that crashscan preloads into the programs that it runs, installed next to crashscan.
enum PreloadedFile {
  static func path(of name: String) throws(CommandFailure) -> String {
    var room = [CChar](repeating: 0, count: Int(PATH_MAX))
    let size = readlink("/proc/self/exe", &room, room.count - 1)
    let program = String(
      decoding: room.prefix(max(size, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let folder = String(program[..<(program.lastIndex(of: "/") ?? program.startIndex)])
    let places = ["\(folder)/../lib/mainstay/\(name)", "\(folder)/\(name)"]
    for place in places {
      guard let resolved = realpath(place, nil) else { continue }
      defer { free(resolved) }
      return try checked(String(cString: resolved))
    }
    throw CommandFailure(
      message:
        "\(name) is neither in \(folder)/../lib/mainstay nor in \(folder): install it with `make install`",
      code: .unreadableInput)
  }

  /// Returns the path if the loader accepts it: a colon or space would end the path in
  /// `LD_PRELOAD`.
  static func checked(_ path: String) throws(CommandFailure) -> String {
    guard !path.contains(":"), !path.contains(" ") else {
      throw CommandFailure(
        message: "\(path): the loader cannot preload a path with a colon or a space",
        code: .unreadableInput)
    }
    return path
  }
}
