import Glibc
import TextOutput

/// A directory of logs and reports, such as one that has a subdirectory for each service or host.
struct DirectoryTree {
  private let root: String

  /// The maximum number of files to read.
  static let mostFiles = 100_000

  init(_ root: String) { self.root = root }

  /// Returns the regular files of the directory and of its subdirectories, sorted by name, without
  /// hidden ones. Links to directories are not followed, because they may form a cycle.
  ///
  /// - Parameter failed: Receives each subdirectory that cannot be read.
  func files(failed: (String, VisibleText) -> Void) throws(CommandFailure) -> [String] {
    guard let names = Self.names(in: root) else {
      throw WholeFile.failure(root, "cannot be opened")
    }
    var files: [String] = []
    var rest = names.reversed().map { "\(root)/\($0)" }
    while let path = rest.popLast() {
      switch Self.kind(of: path) {
      case S_IFREG: files.append(path)
      case S_IFDIR:
        guard let names = Self.names(in: path) else {
          failed(path, WholeFile.failure(path, "cannot be opened").message)
          continue
        }
        rest += names.reversed().map { "\(path)/\($0)" }
      default: break
      }
      guard files.count <= Self.mostFiles else {
        throw CommandFailure(
          message:
            "\(root): contains more than \(Self.mostFiles) files; read its subdirectories one by one with crashscan summarize, and combine the summaries with crashscan merge"
        )
      }
    }
    return files
  }

  /// The type of a file, or of the file at the end of a link; nil for a link to a directory.
  private static func kind(of path: String) -> mode_t? {
    var (status, own) = (stat(), stat())
    guard stat(path, &status) == 0, lstat(path, &own) == 0 else { return nil }
    let isLink = own.st_mode & S_IFMT == S_IFLNK
    let kind = status.st_mode & S_IFMT
    return isLink && kind == S_IFDIR ? nil : kind
  }

  /// The names in a directory, sorted, without hidden ones; nil if the directory cannot be opened.
  private static func names(in path: String) -> [String]? {
    guard let handle = opendir(path) else { return nil }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      names.append(
        withUnsafeBytes(of: entry.pointee.d_name) {
          String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        })
    }
    return names.filter { !$0.hasPrefix(".") }.sorted()
  }
}
