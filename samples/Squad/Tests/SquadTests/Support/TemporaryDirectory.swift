import Foundation

/// A directory of a test's own, which goes when the test lets go of it.
///
/// What is written there later, by work that outlives its test, goes at the end of the process.
final class TemporaryDirectory: Sendable {
  let url = TemporaryDirectory.all.appendingPathComponent(UUID().uuidString)

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The names of the files in it.
  var files: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
  }

  /// Where those of this process are.
  private static let all: URL = {
    atexit { try? FileManager.default.removeItem(at: TemporaryDirectory.all) }
    return FileManager.default.temporaryDirectory.appendingPathComponent("squad-tests-\(getpid())")
  }()
}
