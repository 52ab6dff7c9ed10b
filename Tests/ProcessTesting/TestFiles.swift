import Foundation

/// Places for files that go when the tests end: they run in one process, and only that knows when the
/// last of them is done.
public enum TestFiles {
  private static let root: String = {
    atexit { try? FileManager.default.removeItem(atPath: TestFiles.root) }
    return NSTemporaryDirectory() + "mainstay-tests-\(getpid())"
  }()

  /// A path in a new directory, which nothing else uses.
  public static func path(_ name: String) -> String { "\(directory())/\(name)" }

  /// A new directory.
  public static func directory() -> String {
    let path = "\(root)/\(UUID().uuidString)"
    try! FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }
}
