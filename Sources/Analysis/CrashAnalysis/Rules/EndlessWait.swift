import IncidentModel

/// Finds the waits at which the tests of a hung test process stand still.
final class EndlessWait: Rule {
  static let about = RuleDescription(
    id: "endless-wait", severity: .error,
    title: "A test waited, and nothing ended the wait",
    firesWhen: """
      crashscan test examines a silent test process, and no other rule explains the standstill. The \
      thread or task of a test waits without a limit for a semaphore, a group, a condition, a lock, a \
      queue, a continuation, a stream or a call, or it waits for an expectation. If it waits for \
      another thread or task, that one's wait counts. crashscan test reports the finding only if the \
      process does not continue.
      """,
    cause: """
      A signal is missing on one path, one signal was sent where several threads wait, a lock was not \
      unlocked, a stream was not finished, or the other end of a pipe was not closed.
      """,
    evidence: """
      The place of the wait, and the threads and tasks that wait for it; whether the memory of \
      another thread or task refers to the semaphore, group, condition or lock.
      """,
    fix: """
      End the wait on every path: signal, leave, unlock, resume, finish, fulfill or close. In tests, \
      wait with a time limit.
      """,
    triggers: """
      let done = DispatchSemaphore(value: 0)
      load { prices in
        if !prices.isEmpty { done.signal() }  // else never
      }
      done.wait()
      """,
    spares: """
      let done = DispatchSemaphore(value: 0)
      load { _ in done.signal() }
      #expect(done.wait(timeout: .now() + 5) == .success)
      """)

  let interest = Interest()

  func finish(in run: EndedRun) {
    guard let picture = run.picture, picture.tasks.isStuck,
      !run.drafts.contains(where: { $0.finding.severity == .error })
    else { return }
    for chain in picture.waitsOfTests {
      guard let last = chain.last, let object = picture.awaitedObject(of: last),
        let place = picture.place(of: last)
      else { continue }
      run.report(FindingKey(Self.about.id, place.hashValue)) {
        Self.finding(chain, object, place, picture)
      }
    }
  }

  private static func finding(
    _ chain: [WaitGraph.Node], _ object: AwaitedObject, _ place: CodePlace,
    _ picture: PictureReading
  ) -> Finding {
    let name = DisplayText.capitalized(DisplayText.name(place))
    var finding = Finding(
      rule: about.id, severity: about.severity,
      title: "\(name) \(object.words)", culprit: place, api: nil, fix: Finding.Fix(object.fix),
      identity: place.function,
      defect: "\(place.module) \(place.function)")
    finding.cause = chain.enumerated().map { index, node in
      let isLast = index + 1 == chain.count
      return Finding.Step(
        isLast ? object.words : "waits for \(picture.name(of: chain[index + 1]))",
        thread: picture.name(of: node), queue: nil, place: picture.place(of: node))
    }
    if picture.isUnreferenced(chain[chain.count - 1]) {
      finding.evidence.append(
        Finding.Evidence(
          "no stack of another thread and no task with the program’s code refers to the \(object.noun): no code that has begun can end the wait"
        ))
    }
    if picture.isIdle {
      finding.evidence.append(Finding.Evidence("every thread and every task of the process waits"))
    }
    finding.lastsToEnd = true
    return finding
  }
}
