import Glibc

/// A file, or standard output, for incremental output.
final class OutputFile {
  private let path: String
  private let file: Int32
  private var error: Int32 = 0

  /// Opens the file.
  ///
  /// - Parameter path: The path; nil or `-` for standard output.
  init(path: String?) throws(CommandFailure) {
    guard let path, path != "-" else {
      self.path = "standard output"
      file = STDOUT_FILENO
      return
    }
    self.path = path
    file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw WholeFile.failure(path, "cannot be written") }
  }

  deinit { if file != STDOUT_FILENO { close(file) } }

  /// Writes bytes. `finish` reports a failure.
  func write(_ bytes: UnsafeRawBufferPointer) {
    var done = 0
    while error == 0, done < bytes.count {
      let written = Glibc.write(file, bytes.baseAddress! + done, bytes.count - done)
      if written < 0 && errno == EINTR { continue }
      if written > 0 { done += written } else { error = errno }
    }
  }

  func finish() throws(CommandFailure) {
    errno = error
    if error != 0 { throw WholeFile.failure(path, "cannot be written") }
  }
}
