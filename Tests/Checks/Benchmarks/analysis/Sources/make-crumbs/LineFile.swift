import Foundation
import Synchronization

/// A file that several threads append lines to.
final class LineFile: Sendable {
  private let file: Mutex<FileHandle>

  init(path: String) {
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    file = Mutex(FileHandle(forWritingAtPath: path)!)
  }

  func append(_ text: String) { file.withLock { $0.write(Data(text.utf8)) } }

  func close() { file.withLock { try? $0.close() } }
}
