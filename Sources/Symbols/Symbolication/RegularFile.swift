import Glibc
import IncidentModel

/// An open regular file: never a pipe, a device or a directory.
final class RegularFile {
  /// Why a path gave no file.
  enum Failure: Error, Equatable {
    case notFound
    case notRegular
    case unreadable(String)
  }

  let descriptor: CInt
  let size: Int
  let stamp: FileStamp

  /// Opens a regular file without blocking. Other files are not opened: opening a device may have an effect,
  /// and a pipe without a writer would block.
  init(path: String) throws(Failure) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw Self.failure() }
    guard Self.isRegular(status) else { throw .notRegular }
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw Self.failure() }
    // The file may have been replaced since.
    guard fstat(descriptor, &status) == 0, Self.isRegular(status) else {
      close(descriptor)
      throw .notRegular
    }
    self.descriptor = descriptor
    size = Int(status.st_size)
    stamp = FileStamp(status)
  }

  deinit { close(descriptor) }

  /// Whether it begins as programs and libraries do.
  var isModule: Bool { begins(with: [0x7f, 0x45, 0x4c, 0x46]) }
  /// Whether it begins as a bundle of symbols does, of whatever version.
  var isBundle: Bool { begins(with: Array("MSM_SYI".utf8)) }

  private func begins(with expected: [UInt8]) -> Bool {
    var bytes = [UInt8](repeating: 0, count: expected.count)
    return pread(descriptor, &bytes, bytes.count, 0) == bytes.count && bytes == expected
  }

  private static func isRegular(_ status: stat) -> Bool { status.st_mode & S_IFMT == S_IFREG }

  private static func failure() -> Failure {
    switch errno {
    case ENOENT, ENOTDIR, ENAMETOOLONG, ELOOP: .notFound
    case let code: .unreadable(String(cString: strerror(code)))
    }
  }
}
