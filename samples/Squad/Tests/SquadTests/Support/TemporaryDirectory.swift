import Foundation

/// A directory of a test's own, which goes when the test lets go of it.
final class TemporaryDirectory: Sendable {
  let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("squad-tests-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The names of the files in it.
  var files: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
  }
}
