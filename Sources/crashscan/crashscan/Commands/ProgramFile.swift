import Glibc

/// A program to run with a preloaded library.
struct ProgramFile {
  let path: String

  /// Finds the file that a shell would run.
  init(named name: String) throws(CommandFailure) {
    let folders =
      name.contains("/")
      ? [""]
      : (getenv("PATH").map { String(cString: $0) } ?? "").split(separator: ":").map { "\($0)/" }
    guard let found = folders.map({ $0 + name }).first(where: Self.isProgram) else {
      throw CommandFailure(message: "\(name): no such program", code: .unreadableInput)
    }
    path = found
  }

  private static func isProgram(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }

  /// Rejects programs into which the loader would not preload a library.
  func check() throws(CommandFailure) {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    let changesRights =
      status.st_mode & S_ISUID != 0 && status.st_uid != getuid()
      || status.st_mode & S_ISGID != 0 && status.st_gid != getgid()
    if changesRights {
      throw refusal(
        "is set-user-ID or set-group-ID, so the loader ignores the preload library: run a copy without these permission bits"
      )
    }
    guard let isStatic, isStatic else { return }
    throw refusal(
      "is fully static, so the loader cannot preload a library: link the program dynamically")
  }

  private func refusal(_ reason: String) -> CommandFailure {
    CommandFailure(message: "\(path) \(reason)", code: .unreadableInput)
  }

  /// True if the file names no loader; nil if it is a script instead of a program for this machine.
  private var isStatic: Bool? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var head = [UInt8](repeating: 0, count: 4096)
    let size = read(file, &head, head.count)
    guard size >= 64, head.starts(with: [0x7f, 0x45, 0x4c, 0x46]), head[4] == 2, head[5] == 1 else {
      return nil
    }
    func number(at place: Int, _ width: Int) -> Int {
      head[place..<place + width].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    let (table, each, count) = (number(at: 32, 4), number(at: 54, 2), number(at: 56, 2))
    guard each >= 56, table + each * count <= size else { return nil }
    let interpreter = 3
    return !(0..<count).contains { number(at: table + $0 * each, 4) == interpreter }
  }
}
