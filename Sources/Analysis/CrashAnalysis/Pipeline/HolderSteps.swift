import IncidentModel

/// Lists the holders of a resource as steps of a finding, one step for all threads in one place.
enum HolderSteps {
  /// Returns the steps.
  ///
  /// - Parameter what: Returns the verb phrase for a holder.
  static func steps(
    _ holders: [Hang.Holder], in run: RunState, _ what: (Hang.Holder) -> String
  ) -> [Finding.Step] {
    var steps: [(step: Finding.Step, others: [String])] = []
    for holder in holders {
      guard let thread = holder.thread else { continue }
      let name = run.thread(kernelID: thread.id, thread.name)
      let step = Finding.Step(
        what(holder), thread: name, queue: holder.queue,
        place: run.read(holder.frames).touched.map { SourceLine.added(to: $0.place) })
      let known = steps.firstIndex {
        $0.step.text == step.text && $0.step.place == step.place && $0.step.queue == step.queue
      }
      if let known { steps[known].others.append(name) } else { steps.append((step, [])) }
    }
    return steps.map { step, others in
      guard !others.isEmpty else { return step }
      var step = step
      step.text +=
        ", as \(others.count == 1 ? "does \(others[0])" : "do \(others.count) other threads")"
      return step
    }
  }
}
