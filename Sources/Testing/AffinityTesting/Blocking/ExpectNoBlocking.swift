public import BlockingCalls
import Synchronization

/// Runs `body` and fails the test for each call, anywhere in the process, that blocks a thread of
/// `executors` meanwhile.
///
/// A blocking call cannot be attributed to a test: if several tests run at the same time, each of
/// them reports all calls. Make the suite `.serialized` to avoid this. `BlockingCalls.allowed` and
/// `BlockingCalls.allow` apply as usual.
public func expectNoBlocking(
  on executors: BlockingCalls.Executors = [.cooperativePool, .eventLoops, .mainQueue],
  longerThan threshold: Duration = .milliseconds(5), isolation: isolated (any Actor)? = #isolation,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column, _ body: () async throws -> Void
) async rethrows {
  let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
  let session = BlockingSession(on: executors, longerThan: threshold)
  defer { for problem in session.end() { place.fail(problem) } }
  try await body()
}

/// A period during which blocking calls are reported. Sessions may overlap; the configuration of
/// the session that began last applies.
final class BlockingSession: Sendable {
  private static let running = Mutex(0)

  private let first: UInt64
  private let refusal: String?

  init(on executors: BlockingCalls.Executors, longerThan threshold: Duration) {
    (first, refusal) = Self.running.withLock { running in
      do throws(BlockingCalls.Unavailable) {
        try BlockingCalls.report(on: executors, longerThan: threshold, to: nil, policy: [])
        running += 1
        return (BlockingCalls.findingCount, nil)
      } catch {
        return (0, error.description)
      }
    }
  }

  /// Ends the session and returns the failure messages, one for each distinct stack.
  func end() -> [String] {
    if let refusal { return ["blocking calls cannot be detected: \(refusal)"] }
    Self.running.withLock { running in
      running -= 1
      if running == 0 { BlockingCalls.stop() }
    }
    var seen: Set<[UInt]> = []
    return BlockingCalls.findings(from: first).filter { seen.insert($0.stack).inserted }.map(
      Self.text)
  }

  private static func text(_ finding: BlockingFinding) -> String {
    let milliseconds = finding.duration / .milliseconds(1)
    let tenths = (milliseconds * 10).rounded() / 10
    let lines = ["\(finding.call) blocked a thread of the \(finding.executor) for \(tenths) ms:"]
    return (lines + StackText.lines(finding.stack).map { "  \($0)" }).joined(separator: "\n")
  }
}
