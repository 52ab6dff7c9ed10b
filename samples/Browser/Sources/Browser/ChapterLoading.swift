/// Loads chapters; it answers once, on any queue.
package protocol ChapterLoading: Sendable {
  /// What an answer is handed to.
  typealias Answer = @Sendable (Result<Chapter, ChapterError>) -> Void

  /// Loads the chapter of that number, from 0.
  ///
  /// - Returns: What ends it; there is then no answer any more.
  func load(_ number: Int, answer: @escaping Answer) -> ChapterLoad
}

/// A chapter that is being loaded.
package struct ChapterLoad: Sendable {
  /// Ends it.
  package let cancel: @Sendable () -> Void

  package init(cancel: @escaping @Sendable () -> Void) { self.cancel = cancel }
}

/// Why there is no chapter, in words for the reader.
package struct ChapterError: Error, Sendable, Hashable {
  package let reason: String

  package init(_ reason: String) { self.reason = reason }
}
