/// Asks two mirrors for a file, and takes the first answer.
///
/// The bug: each mirror resumes whoever waits. The second answer ends the process: a continuation is resumed
/// once.
public struct Mirrors: Sendable {
  private let answersOnce: Bool

  /// Creates mirrors with the bug or with the fix.
  public init(bug: Bool) { answersOnce = !bug }

  /// The name of the mirror that answered first.
  public func fastest() async -> String {
    let once = FirstOnly()
    return await withCheckedContinuation { continuation in
      for name in ["north", "south"] {
        Task {
          if answersOnce, await !once.comesFirst() { return }
          continuation.resume(returning: name)
        }
      }
    }
  }
}

/// Says to one of those who ask that it is the first.
private actor FirstOnly {
  private var isTaken = false

  func comesFirst() -> Bool {
    defer { isTaken = true }
    return !isTaken
  }
}
