import IncidentModel

/// A second thread in the same own function while another thread detected damaged memory there.
struct SecondThread {
  let thread: WaitingThread
  /// The places of the crashed thread and the second thread in that function.
  let died: CodePlace
  let stood: CodePlace
}

extension CrashReading {
  /// Returns another thread that ran the function in which the process died, and did not wait
  /// there.
  ///
  /// - Returns: nil unless the death indicates damaged memory: without that, two threads in one
  ///   function are normal.
  func secondThread(in run: RunState, after death: Death) -> SecondThread? {
    guard death.isOfMemory, !Lifetime.isOf(death, at: reading.touched?.place) else { return nil }
    for thread in crash.otherThreads {
      // A thread that waits for a lock is kept out of the state that the lock guards.
      let other = WaitingThread(
        thread, run.frames(of: thread.stack, when: crash.monotonic), isHung: true)
      guard !other.isWaiting, let (died, stood) = Self.common(reading, other.reading) else {
        continue
      }
      return SecondThread(thread: other, died: died, stood: stood)
    }
    return nil
  }

  /// Returns evidence of another thread that ran a method of the same type when code of the type
  /// died of damaged memory; nil if no thread did.
  func threadInSameType(in run: RunState, after death: Death) -> Finding.Evidence? {
    guard death.isOfMemory, let touched = reading.touched, touched.isNamed,
      !Lifetime.isOf(death, at: touched.place)
    else { return nil }
    let type = FunctionName(touched.place.function).type
    guard !type.isEmpty else { return nil }
    for thread in crash.otherThreads {
      let frames = run.frames(of: thread.stack, when: crash.monotonic)
      let other = WaitingThread(thread, frames, isHung: true)
      // A thread in a call of the C library may be asleep.
      let isAtWork = frames.prefix { $0.role != .code }.allSatisfy {
        $0.place.module.hasPrefix("libswiftCore")
      }
      guard isAtWork, !other.isWaiting, let place = other.reading.touched?.place,
        FunctionName(place.function).type == type
      else { continue }
      return Finding.Evidence(
        "possible race: \(other.name(in: run)) also ran code of \(type) at that moment; whether on the same "
          + "object is not recorded",
        place: SourceLine.added(to: place))
    }
    return nil
  }

  /// Returns the places of two stacks in a common function. In one of the stacks, the function may
  /// have called a method of the same type.
  private static func common(
    _ one: StackReading, _ other: StackReading
  ) -> (CodePlace, CodePlace)? {
    guard let first = one.touched, first.isNamed, let second = other.touched, second.isNamed else {
      return nil
    }
    if first.place.function == second.place.function { return (first.place, second.place) }
    let type = FunctionName(first.place.function).type
    guard !type.isEmpty, FunctionName(second.place.function).type == type else { return nil }
    let called = { (stack: StackReading, function: String) in
      stack.links.prefix(3).first { $0.frame.place.function == function }?.frame.place
    }
    if let died = called(one, second.place.function) { return (died, second.place) }
    return called(other, first.place.function).map { (first.place, $0) }
  }
}
