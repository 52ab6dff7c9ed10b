internal import CRecorder
internal import MainActorCalls

/// Wraps a completion handler so that it may be called on any queue and runs on the main queue.
///
///     loader.load(completion: hop { image, error in view.show(image, error) })
///
/// The arguments are transferred: the caller of the completion handler must not use them afterwards.
@inline(never)
public func hop<each Argument>(
  _ name: StaticString = "completion", delivery: HopDelivery = .automatic,
  file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
  function: StaticString = #function, _ body: @escaping @MainActor (repeat each Argument) -> Void
) -> @Sendable (repeat each Argument) -> Void {
  let core = HopCore(
    name, on: .queue(MainQueue.queue), to: .main, delivery,
    site: CallSite(file: file, line: line, column: column, function: function),
    from: ms_caller())
  let completion = Completion(core: core, body: body)
  return { (argument: repeat each Argument) in
    completion.send(repeat each argument, from: ms_caller())
  }
}

/// A completion handler and the hop through which it runs.
private struct Completion<each Argument>: Sendable {
  let core: HopCore
  let body: @MainActor (repeat each Argument) -> Void

  func send(_ argument: repeat each Argument, from caller: UInt) {
    let arguments = UncheckedHandover((repeat each argument))
    core.send(
      { [body] begin in
        begin()
        callUnchecked(body, each: repeat each arguments.value)
        return true
      }, from: caller)
  }
}
