import IncidentModel

/// Follows the async contexts from a suspended function to its callers.
struct AsyncCallers {
  private let reader: WordReader
  /// Cache of stacks: tasks that wait at the same place share one copy.
  private var known: [Stack: Stack] = [:]
  private static let most = 64

  init(_ reader: WordReader) { self.reader = reader }

  /// The resume addresses of the async callers, from `context` outwards.
  ///
  /// - Parameter first: resume addresses that precede those of the contexts.
  mutating func stack(from context: UInt64, starting first: [UInt64] = []) -> Stack {
    var frames = first.map { FrameAddress.asyncCaller($0) }
    var next = context
    var end = Stack.End.complete
    while next != 0 {
      guard let parent = reader.word(at: next), let resume = reader.word(at: next &+ 8),
        resume == 0 || reader.isCode(resume)
      else {
        end = .badCallers
        break
      }
      if resume == 0 { break }
      if frames.count == Self.most {
        end = .limit
        break
      }
      frames.append(.asyncCaller(resume))
      next = parent
    }
    let stack = Stack(frames: frames, end: end)
    if let shared = known[stack] { return shared }
    known[stack] = stack
    return stack
  }
}
