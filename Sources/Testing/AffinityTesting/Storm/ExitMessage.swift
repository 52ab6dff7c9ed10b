import Glibc

internal import CTestProcess

/// The message about the current schedule that the process prints if a fatal signal ends it.
enum ExitMessage {
  /// Runs `body` with a message about `schedule`.
  static func telling<Result: Sendable>(
    of schedule: StormSchedule, seed: UInt64?, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    let words = Words(schedule, seed: seed)
    words.set()
    defer { words.unset() }
    return try await body()
  }

  /// Runs `body` with a message about the task schedule `schedule`.
  static func telling<Result: Sendable>(
    ofTasks schedule: TaskSchedule, seed: UInt64?, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    let words = Words(ofTasks: schedule, seed: seed)
    words.set()
    defer { words.unset() }
    return try await body()
  }

  static func willTake(_ step: Int) { ms_set_dying_step(step) }

  /// The C strings of one schedule's message.
  private final class Words: @unchecked Sendable {
    // Immutable, and freed only after the signal handler no longer refers to the texts.
    private let texts: [UnsafeMutablePointer<CChar>?]
    private let ends: UnsafeMutableBufferPointer<Int>
    private let words: UnsafeMutablePointer<ms_dying_words>

    convenience init(_ schedule: StormSchedule, seed: UInt64?) {
      let steps = schedule.steps.map(\.description)
      var end = 0
      let ends = steps.enumerated().map { index, step in
        end += step.utf8.count + (index > 0 ? 2 : 0)
        return end
      }
      let source = seed.map { "the storm with seed \($0)" } ?? "a storm"
      self.init(
        "\nmainstay: a signal ended this process while \(source) was at step ",
        ".\n  to replay it: CallbackStorm(replaying: \"", "\(schedule)", ends,
        "\")\n  to survive the signal and find the fewest deliveries: run(inChildren: true, against:), whose body must not capture values\n"
      )
    }

    convenience init(ofTasks schedule: TaskSchedule, seed: UInt64?) {
      let source = seed.map { "the storm of tasks with seed \($0)" } ?? "a storm of tasks"
      let text = "\(schedule)"
      self.init(
        "\nmainstay: a signal ended this process in \(source).\n"
          + "  to replay it: TaskStorm(replaying: \"", nil, text, [text.utf8.count],
        "\")\n  to survive the signal and find the fewest changes: run(inChildren: true, against:), whose body must not capture values\n"
      )
    }

    private init(
      _ before: String, _ between: String?, _ schedule: String, _ ends: [Int], _ after: String
    ) {
      texts = [before, between, schedule, after].map { text in text.map { strdup($0)! } }
      self.ends = .allocate(capacity: max(ends.count, 1))
      _ = self.ends.initialize(fromContentsOf: ends)
      words = .allocate(capacity: 1)
      words.initialize(
        to: ms_dying_words(
          before: UnsafePointer(texts[0]!), between: UnsafePointer(texts[1]),
          schedule: UnsafePointer(texts[2]!),
          ends: UnsafePointer(self.ends.baseAddress!),
          count: ends.count, after: UnsafePointer(texts[3]!)))
    }

    deinit {
      for text in texts { free(text) }
      ends.deallocate()
      words.deallocate()
    }

    func set() { ms_set_dying_words(words) }
    func unset() { ms_set_dying_words(nil) }
  }
}
