internal import CInterposers

/// A call that took too long, as a test sees it.
package struct BlockingFinding: Sendable {
  /// The function of the C library that waited.
  package let call: String
  /// Whose thread it was.
  package let executor: String
  package let duration: Duration
  /// Return addresses from the caller; in a task, then its async callers.
  package let stack: [UInt]
}

extension BlockingCalls {
  /// How many findings there were so far.
  package static var findingCount: UInt64 { ms_blocking_count() }

  /// The findings from this number on that are still kept, the oldest first: at most 64.
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
