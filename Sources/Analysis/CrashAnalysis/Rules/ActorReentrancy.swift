import IncidentModel

/// Finds crashes after an await in an actor's method, while other tasks were inside the actor.
final class ActorReentrancy: Rule {
  static let about = RuleDescription(
    id: "actor-reentrancy", severity: .warning,
    title: "The state of an actor probably changed across an await",
    firesWhen: """
      A failed check or trap ended the process in a method of an actor after an await of that \
      method, and the list of waiting tasks shows other tasks suspended at an await in the same \
      method, or in another method of the same actor type. The finding is only probable: the record \
      does not show whether the tasks used the same actor, nor which call changed its state. It is \
      not reported if the source shows that no line from the await to the crash uses a variable of \
      the actor.
      """,
    cause: """
      At each await, an actor lets other calls run. What the method checked before the await need \
      not hold after it.
      """,
    evidence: """
      The crashed line, the await at which the other tasks are suspended, and the number of tasks. \
      The crash finding of the run contains them.
      """,
    fix: """
      Check the state again after the await, or change it before the await and undo the change if \
      the call fails. If all calls need the same result, keep the task of the first call in the \
      state, and let the others await it.
      """,
    triggers: """
      actor Seats {
        var free = [1]
        func reserve() async -> Int {
          precondition(!free.isEmpty)
          await pay()
          return free.removeFirst()  // a second call took the seat
        }
      }
      """,
    spares: """
      actor Seats {
        var free = [1]
        func reserve() async -> Int? {
          guard let seat = free.popLast() else { return nil }
          await pay()
          return seat
        }
      }
      """)

  let interest = Interest()

  func finish(in run: EndedRun) {
    guard let crash = run.crash, run.deadlock == nil, let reentrancy = run.reentrancy else {
      return
    }
    run.report(FindingKey(Self.about.id)) {
      var finding = Finding(
        rule: Self.about.id, severity: Self.about.severity, title: reentrancy.title,
        culprit: reentrancy.died, api: nil, fix: reentrancy.fix,
        identity: reentrancy.method.function,
        defect: "\(reentrancy.method.module) \(reentrancy.method.function)")
      finding.cause =
        reentrancy.visits.map { visit in
          Finding.Step(
            visit.tasks == 1 ? "was suspended in" : "were suspended in",
            thread: visit.tasks == 1 ? "another task" : "\(visit.tasks) other tasks", queue: nil,
            place: visit.place)
        } + [
          Finding.Step(
            "crashed after an await", thread: crash.thread(in: run), queue: crash.queue,
            place: reentrancy.died)
        ]
      finding.evidence = reentrancy.evidence
      finding.tell(of: crash, in: run)
      return finding
    }
  }
}

extension Reentrancy {
  private static func words(_ visit: Visit) -> String {
    visit.tasks == 1 ? "another task was" : "\(visit.tasks) other tasks were"
  }

  /// The probable cause as a clause.
  var cause: String {
    let name = DisplayText.name(visits[0].place)
    return "The state of \(actor) probably changed across an await: "
      + "\(Self.words(visits[0])) inside \(name)"
  }

  var title: String { "\(cause) when \(DisplayText.name(method)) crashed" }

  /// The places between which the state may have changed, and the limits of the record.
  var evidence: [Finding.Evidence] {
    let first =
      awaited == nil
      ? []
      : [
        Finding.Evidence(
          "probably the state of \(actor) changed across this await: \(Self.words(visits[0])) suspended at it, and "
            + "each call can change the state before another call continues after it",
          place: visits[0].place)
      ]
    let others = visits.dropFirst(first.count).prefix(3).map { visit in
      Finding.Evidence(
        "\(first.isEmpty ? "probably the state of \(actor) changed across an await: " : "")\(Self.words(visit)) "
          + "suspended inside \(actor) here", place: visit.place)
    }
    return first + others + [
      Finding.Evidence(
        "not proved: the record does not show whether these tasks used the same \(actor)",
        isDetail: true)
    ]
  }

  var fix: Finding.Fix {
    let place = awaited?.shortPosition.map { " at \($0)" } ?? ""
    return Finding.Fix(
      "Check the state of \(actor) again after the await\(place), or change it before the await and undo the "
        + "change if the call fails; if all calls need one result, keep the task of the first call in the state, "
        + "and let the others await it.")
  }
}
