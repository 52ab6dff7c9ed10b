import Glibc
import IncidentModel

/// An open regular file: never a pipe, a device or a directory.
final class RegularFile {
  /// The reason why a path could not be opened.
  enum Failure: Error, Equatable {
    case notFound
    case notRegular
    case unreadable(String)
  }

  let descriptor: CInt
  let size: Int
  let stamp: FileStamp

  /// Opens a regular file without blocking. The type is checked before the file is opened, because opening a
  /// device may have side effects.
  init(path: String) throws(Failure) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw Self.failure() }
    guard Self.isRegular(status) else { throw .notRegular }
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw Self.failure() }
    // The file may have been replaced since the check.
    guard fstat(descriptor, &status) == 0, Self.isRegular(status) else {
      close(descriptor)
      throw .notRegular
    }
    self.descriptor = descriptor
    size = Int(status.st_size)
    stamp = FileStamp(status)
  }

  deinit { close(descriptor) }

  /// True if the file starts with the magic number of ELF files.
  var isModule: Bool { begins(with: [0x7f, 0x45, 0x4c, 0x46]) }
  /// True if the file starts with the magic number of symbol bundles, of any version.
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
