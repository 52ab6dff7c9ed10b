internal import CInterposers

/// A call that took too long, for tests.
package struct BlockingFinding: Sendable {
  /// The C library's function that blocked.
  package let call: String
  /// The executor of the blocked thread.
  package let executor: String
  package let duration: Duration
  /// The return addresses from the caller outward; in a task, the resume addresses of its async callers
  /// follow.
  package let stack: [UInt]
}

extension BlockingCalls {
  /// The number of findings so far.
  package static var findingCount: UInt64 { ms_blocking_count() }

  /// The retained findings from `number` on, oldest first. At most 64 findings are retained.
  package static func findings(from number: UInt64) -> [BlockingFinding] {
    (number..<max(number, findingCount)).compactMap { number in
      var kept = ms_blocking_kept()
      guard ms_blocking_copy(number, &kept) else { return nil }
      return BlockingFinding(
        call: String(cString: kept.call), executor: String(cString: kept.executor),
        duration: .nanoseconds(Int64(clamping: kept.nanoseconds)),
        stack: withUnsafeBytes(of: &kept.frames) {
          $0.bindMemory(to: UInt.self).prefix(Int(kept.frame_count)).map { $0 }
        })
    }
  }
}
