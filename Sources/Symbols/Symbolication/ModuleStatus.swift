/// The source of a module's symbols, or the reason why it has none: one line in a report.
package enum ModuleStatus: Hashable, Sendable {
  /// Functions, files and lines, from this file.
  case debugInfo(path: String)
  /// Function names alone, from this file's symbol table.
  case symbolsOnly(path: String)
  /// The index that an earlier report made of the same build, because the module's file is gone, of
  /// another build, or stripped.
  case kept(because: String)
  /// No file exists at the module's path, or at any other searched path.
  case notFound
  /// The file at the path is not a regular file, so it was not opened.
  case notRegular
  /// The file has another build id than the module that ran.
  case buildIDMismatch(found: [UInt8])
  /// The module or the file has no build id, so that the two cannot be compared.
  case noBuildID
  /// The module has no build id, and the file is not the file that ran, or was modified since.
  case changed
  /// The file could not be read, or is not a module.
  case unreadable(reason: String)
}

extension ModuleStatus: Error {
  init(_ failure: RegularFile.Failure) {
    switch failure {
    case .notFound: self = .notFound
    case .notRegular: self = .notRegular
    case .unreadable(let reason): self = .unreadable(reason: reason)
    }
  }
}

extension ModuleStatus: CustomStringConvertible {
  package var description: String {
    switch self {
    case .debugInfo(let path): "debug information from \(path)"
    case .symbolsOnly(let path): "function names only, from the symbols of \(path)"
    case .kept(let reason): "names from an earlier report on the same build (its file: \(reason))"
    case .notFound: "not found"
    case .notRegular: "not a regular file"
    case .buildIDMismatch(let found): "another build: the build id of the file is \(hex(found))"
    case .noBuildID: "the file has no build id"
    case .changed:
      "the module has no build id, and its file is not the one that ran, or was changed since"
    case .unreadable(let reason): "not readable: \(reason)"
    }
  }
}

/// Bytes as lower-case hexadecimal digits, as in a build id.
func hex(_ bytes: some Sequence<UInt8>) -> String {
  let digits = Array("0123456789abcdef".utf8)
  return String(
    decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
}
