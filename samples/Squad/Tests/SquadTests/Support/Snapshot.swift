import Foundation
import Testing

/// Compares a rendered screen with the one that is kept as `Snapshots/NAME.txt` beside the tests.
///
/// `RECORD_SNAPSHOTS=1 swift test …` keeps what is rendered instead; the test fails then all the same, for
/// it has compared nothing.
func expectSnapshot(
  _ text: String, _ name: String, filePath: String = #filePath,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let directory = snapshotDirectory(of: filePath)
  let file = directory.appendingPathComponent("\(name).txt")
  if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    try Data("\(text)\n".utf8).write(to: file)
    Issue.record("recorded \(name).txt; look at it, and run again", sourceLocation: sourceLocation)
    return
  }
  let kept = try? String(contentsOf: file, encoding: .utf8)
  guard kept != "\(text)\n" else { return }
  let was = kept ?? "nothing: RECORD_SNAPSHOTS=1 keeps this one\n"
  Issue.record(
    "\(name) is\n\(text)\nand was\n\(was)", sourceLocation: sourceLocation)
}

/// `Tests/Snapshots`, from any file of the tests.
private func snapshotDirectory(of filePath: String) -> URL {
  var directory = URL(fileURLWithPath: filePath)
  while directory.lastPathComponent != "SquadTests" { directory.deleteLastPathComponent() }
  return directory.deletingLastPathComponent().appendingPathComponent("Snapshots")
}
