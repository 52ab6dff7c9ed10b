import Breadcrumbs
import Foundation
import ProcessTesting

/// Logs that the real recorder writes, in this process.
enum Log {
  /// The recorder that affinities report to: the first one open, which is then kept for good. While
  /// this one is it, those of the tests go when they are done.
  static let keeper = Result {
    try BreadcrumbRecorder(
      path: TestFiles.path("keeper.log"), capacity: 256 << 10, automatic: [])
  }

  /// The path of a closed log that holds what `body` recorded, and nothing else.
  static func recorded(
    capacity: Int = 1 << 20, _ body: (BreadcrumbRecorder) throws -> Void
  ) throws -> String {
    _ = try keeper.get()
    let path = TestFiles.path("breadcrumbs.log")
    let recorder = try BreadcrumbRecorder(path: path, capacity: capacity, automatic: [])
    try body(recorder)
    recorder.close()
    return path
  }

  /// Runs `body` to its end on a thread of that name.
  static func onThread(named name: String, _ body: @escaping @Sendable () -> Void) {
    runThread {
      try? Data(name.utf8).write(to: URL(fileURLWithPath: "/proc/thread-self/comm"))
      body()
    }
  }

  /// The lines of crumbs, without header, stacks and closing.
  static func lines(_ output: String) -> [String] {
    output.split(separator: "\n").map(String.init).filter {
      $0.prefixMatch(of: #/\d\d:\d\d:\d\d\.\d{3} /#) != nil
    }
  }

  static func lines(_ outcome: ChildProcess) -> [String] { lines(outcome.output) }
}
