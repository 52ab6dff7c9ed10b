import Glibc
import TextOutput

/// Reads and writes files as a whole.
enum WholeFile {
  private static let most = 1 << 30

  static func read(_ path: String) throws(CommandFailure) -> [UInt8] {
    let file = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw failure(path, "cannot be opened") }
    defer { close(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < most {
      let got = Glibc.read(file, &piece, piece.count)
      if got < 0 && errno == EINTR { continue }
      guard got >= 0 else { throw failure(path, "cannot be read") }
      if got == 0 { return bytes }
      bytes += piece[..<got]
    }
    throw CommandFailure(message: "\(path): is larger than \(ByteSize.text(most))")
  }

  static func write(_ text: String, to path: String) throws(CommandFailure) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw failure(path, "cannot be written") }
    defer { close(file) }
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let done = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if done < 0 && errno == EINTR { continue }
      guard done > 0 else { throw failure(path, "cannot be written") }
      bytes = bytes.dropFirst(done)
    }
  }

  static func failure(_ path: String, _ what: String) -> CommandFailure {
    CommandFailure(message: "\(path): \(what): \(String(cString: strerror(errno)))")
  }
}

/// An error that ends a command.
struct CommandFailure: Error {
  var message: VisibleText
  var code: ExitCode = .unreadableInput
}
