import Glibc

/// Why a file could not be read as a breadcrumb log at all.
package enum LogReadingError: Error, CustomStringConvertible, Sendable {
  case cannotOpen(path: String, errorNumber: Int32)
  case notRegular(path: String)
  case cannotRead(path: String, offset: UInt64, errorNumber: Int32)
  case notALog(path: String)
  case otherVersion(path: String, version: UInt32)

  package var description: String {
    switch self {
    case .cannotOpen(let path, let number):
      "\(path): cannot be opened: \(String(cString: strerror(number)))"
    case .notRegular(let path): "\(path): is not a regular file"
    case .cannotRead(let path, let offset, let number):
      "\(path): cannot be read at offset \(offset): \(String(cString: strerror(number)))"
    case .notALog(let path):
      "\(path): is not a breadcrumb log: neither a header at offset 0 nor a chunk was found"
    case .otherVersion(let path, let version):
      "\(path): is a log of version \(version) (at offset 8); this reader supports version 1"
    }
  }
}
