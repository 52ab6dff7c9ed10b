import Glibc
import TextOutput

/// Standard output with a large buffer, and standard error by lines.
struct StandardOutput: ~Copyable {
  private var buffer: [UInt8] = []
  private static let piece = 1 << 16

  mutating func write(_ text: String) {
    buffer.append(contentsOf: text.utf8)
    if buffer.count >= Self.piece { flush() }
  }

  mutating func write(_ text: VisibleText) { write(text.string) }

  mutating func flush() {
    writeAll(buffer, to: STDOUT_FILENO)
    buffer.removeAll(keepingCapacity: true)
  }

  deinit { writeAll(buffer, to: STDOUT_FILENO) }
}

/// Prints a message to the user, separate from the output.
func tell(_ message: VisibleText) {
  writeAll(Array("crashscan: \(message.string)\n".utf8), to: STDERR_FILENO)
}

/// Writes a report to standard error, for a command whose standard output belongs to another program.
func writeError(_ text: String) { writeAll(Array(text.utf8), to: STDERR_FILENO) }

// If the reader closes the pipe, SIGPIPE ends the program, as usual for command-line tools.
private func writeAll(_ bytes: [UInt8], to file: Int32) {
  bytes.withUnsafeBytes { bytes in
    var done = 0
    while done < bytes.count {
      let written = Glibc.write(file, bytes.baseAddress! + done, bytes.count - done)
      if written < 0 && errno == EINTR { continue }
      guard written > 0 else { exit(EX_IOERR) }
      done += written
    }
  }
}

/// Returns true if a file exists at `path`.
func fileExists(_ path: String) -> Bool {
  var status = stat()
  return stat(path, &status) == 0
}
