extension TrackedOperation {
  /// Takes the step that a message reports; says why it takes none.
  mutating func apply(_ event: OperationMessage.Event) -> IgnoredMessage? {
    switch event {
    case .progress(let percent): advance(to: percent)
    case .completed(let isSuccess): complete(isSuccess)
    }
  }

  private mutating func advance(to percent: Int) -> IgnoredMessage? {
    if isFinished || percent < progress { return .late(id) }
    if percent == reported { return .duplicate(id) }
    state = .running
    reported = percent
    return nil
  }

  private mutating func complete(_ isSuccess: Bool) -> IgnoredMessage? {
    let end = isSuccess ? State.succeeded : .failed(.reported)
    if state == end { return .duplicate(id) }
    if isFinished { return .late(id) }
    state = end
    return nil
  }
}
