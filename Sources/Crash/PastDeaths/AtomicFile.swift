import Glibc

/// Writes a file that appears only when it is complete.
enum AtomicFile {
  /// The reason why a file could not be written.
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
    let temporary = path + ".part"
    unlink(temporary)
    let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw failure(temporary) }
    let isWhole = writeAll(bytes, to: file) && fsync(file) == 0
    let reason = failure(temporary)
    close(file)
    guard isWhole else {
      unlink(temporary)
      throw reason
    }
    guard rename(temporary, path) == 0 else { throw failure(path) }
  }

  private static func writeAll(_ bytes: [UInt8], to file: Int32) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        let written = Glibc.write(file, bytes.baseAddress! + done, bytes.count - done)
        if written < 0 && errno == EINTR { continue }
        if written <= 0 { return false }
        done += written
      }
      return true
    }
  }

  private static func failure(_ path: String) -> Failure {
    Failure(description: "\(path): cannot be written: \(String(cString: strerror(errno)))")
  }
}
