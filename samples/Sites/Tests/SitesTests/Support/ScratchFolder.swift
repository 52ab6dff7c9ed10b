import Foundation

/// A folder of its own for a test, which goes when the test lets go of it.
final class ScratchFolder: Sendable {
  let url: URL

  init() {
    url = FileManager.default.temporaryDirectory.appending(path: "sites-\(UUID().uuidString)")
    try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  private init(url: URL) { self.url = url }

  /// A folder that is not there, so that nothing can be kept: for processes that die.
  static var none: ScratchFolder { ScratchFolder(url: URL(fileURLWithPath: "/nowhere/sites")) }

  deinit {
    // Somebody may still be writing into it, until it is gone.
    for _ in 0..<100 where FileManager.default.fileExists(atPath: url.path) {
      try? FileManager.default.removeItem(at: url)
    }
  }

  /// Writes a file and says where it is.
  func file(_ name: String, _ content: some DataProtocol) throws -> URL {
    let file = url.appending(path: name)
    try Data(content).write(to: file)
    return file
  }

  /// The files in it, by name.
  var files: [URL] {
    let found = try? FileManager.default.contentsOfDirectory(
      at: url, includingPropertiesForKeys: nil)
    return (found ?? []).sorted { $0.lastPathComponent < $1.lastPathComponent }
  }
}
