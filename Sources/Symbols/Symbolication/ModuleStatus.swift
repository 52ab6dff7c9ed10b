/// The source of a module's symbols, or the reason why it has none: one line in a report.
package enum ModuleStatus: Hashable, Sendable {
  /// Functions, files and lines, from this file.
  case debugInfo(path: String)
  /// Function names alone, from this file's symbol table.
  case symbolsOnly(path: String)
  /// No file is at the module's path, nor where else it was looked for.
  case notFound
  /// The file at the path is not a regular file, so it was not opened.
  case notRegular
  /// The file is another build than the one that ran.
  case buildIDMismatch(found: [UInt8])
  /// Either the module was recorded without a build id or the file has none: they cannot be compared.
  case noBuildID
  /// The module has no build id, and the file is another than the one that ran, or was touched since.
  case changed
  /// The file could not be read, or is no module.
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
    case .notFound: "not found"
    case .notRegular: "not a regular file"
    case .buildIDMismatch(let found): "another build: its build id is \(hex(found))"
    case .noBuildID: "it has no build id"
    case .changed: "it has no build id, and its file is not the one that ran, or was changed since"
    case .unreadable(let reason): "not readable: \(reason)"
    }
  }
}

/// Bytes as people write build ids.
func hex(_ bytes: some Sequence<UInt8>) -> String {
  let digits = Array("0123456789abcdef".utf8)
  return String(
    decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
}
